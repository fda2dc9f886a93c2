//! Connect Four without a table. `search` finds exact values of single positions, and `evaluate` is the evaluation for
//! play. Certificates use the code that all games share.

mod evaluate;
mod search;

use yomikiri_rules::games::connect_four::ConnectFour;

searched!(ConnectFour);
