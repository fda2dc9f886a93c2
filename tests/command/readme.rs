//! The sessions of the README are real.

#[test]
fn sessions_of_the_readme_are_what_the_command_prints() {
    trycmd::TestCases::new().case("README.md");
}
