//! The command line: what every verb prints, and the sessions of the README.

#[path = "../naive/mod.rs"]
mod naive;
#[path = "../support/mod.rs"]
mod support;

mod changers;
mod foreign;
mod house;
mod limits;
mod readme;
mod serve;
mod verbs;
