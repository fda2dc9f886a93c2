//! Tests of tables and of everything made from them: the format, recorded runs, damage, kills, exports, comparisons,
//! puzzles.

#[path = "../support/mod.rs"]
mod support;

mod animal_shogi_export;
mod batch;
mod bench;
mod both_places;
mod compare;
mod compare_values;
mod counts;
mod crash;
mod damage;
mod data;
mod excerpt;
mod export;
mod forged;
mod forged_blocks;
mod forged_meta;
mod format;
mod hostile;
mod interrupted;
mod look_ups;
mod pack;
mod pieces;
mod plot;
mod proved;
mod puzzle;
mod readers;
mod records;
mod remote;
mod reports;
mod server;
mod sessions;
mod unfinished;
mod upgrade;
