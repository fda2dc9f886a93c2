//! The files of the page, as they were when the program was built.

/// A file of the page.
pub struct File {
    /// From the root of the page, without a slash before it.
    pub path: &'static str,
    pub bytes: &'static [u8],
    /// The same bytes by gzip, if that is less.
    pub gzip: Option<&'static [u8]>,
}

// `PAGE: &[File]`, by the build script.
include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// What to do where there are none.
pub const WITHOUT: &str = "this program was built without the page: make serve builds both";

/// All of them; none if the program was built without the page.
pub fn files() -> &'static [File] {
    PAGE
}

/// The file of a path.
pub fn find(path: &str) -> Option<&'static File> {
    PAGE.iter().find(|file| file.path == path)
}
