//! The command as it is typed: what it shows and what it refuses.

use crate::support::session::replay;

#[test]
fn sessions_about_tables() {
    replay("tables/sessions");
}
