//! Sessions with the commands about tables: their output, and the requests that they refuse.

use crate::support::session::replay;

#[test]
fn sessions_about_tables() {
    replay("tables/sessions");
}
