//! Tests of the command line: the output of every verb, the sessions of the README, and claims of documents.

#[path = "../support/mod.rs"]
mod support;

mod archives;
mod changers;
mod documents;
mod foreign;
mod house;
mod limits;
mod packages;
mod places;
mod portable;
mod readme;
mod serve;
mod shells;
mod suggestions;
mod verbs;
mod workflows;
