//! Sessions with the commands that solve: their output, and the requests that they refuse.

use crate::support::session::replay;

#[test]
fn sessions() {
    replay("solve/sessions");
}
