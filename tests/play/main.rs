//! Tests of players, protocols, matches and games in the terminal.

#[path = "../support/mod.rs"]
mod support;

mod certificates;
mod driven;
mod engine;
mod hosts;
mod matches;
mod naive_games;
mod open_files;
mod programs;
mod protocols;
mod recorder;
mod search;
mod selection;
mod sessions;
mod terminal;
