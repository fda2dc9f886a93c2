//! Connect Four beside its kernel: `evaluate` for play, and certificates of who wins.

mod evaluate;

use crate::certificate::CertificateGame;
use yomikiri_rules::games::connect_four::ConnectFour;

impl CertificateGame for ConnectFour {}
