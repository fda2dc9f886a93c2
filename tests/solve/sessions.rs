//! What the command prints about solving, and what it refuses.

use crate::support::session::replay;

#[test]
fn sessions() {
    replay("solve/sessions");
}
