//! Tests of the kernels: tables, proofs, certificates and searches against naive rules, brute force and each other.

#[path = "../support/mod.rs"]
mod support;

mod alphabeta;
mod animal_shogi_solver;
mod atlas;
mod binarsi_kernel;
mod bounded;
mod certificate;
mod cluster;
mod evaluate;
mod horizon;
mod kept_searches;
mod known;
#[cfg(target_os = "linux")]
mod memory;
mod opening;
mod points;
mod proof_records;
mod proofs;
mod provable;
mod prove;
mod pyonpyon_shogi_solver;
mod pyonpyon_solver;
mod python_checker;
mod retrograde_tables;
mod reversi_kernel;
mod reversi_search;
mod sessions;
mod survey;
mod surveys_again;
mod whole_tables;
mod wtb;
