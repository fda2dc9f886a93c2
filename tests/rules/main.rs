//! Tests of the rules of every game, against naive rules and the pages that describe them.

#[path = "../support/mod.rs"]
mod support;

mod agreement;
mod animal_shogi_page;
mod animal_shogi_rules;
mod any_game;
mod binarsi_rules;
mod connect_four_page;
mod connect_four_rules;
mod keys;
mod pyonpyon_page;
mod pyonpyon_rules;
mod pyonpyon_shogi_rules;
mod reversi_page;
mod reversi_rules;
mod reversi_transcripts;
mod texts;
mod view;
