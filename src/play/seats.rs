//! Who plays which side.

use clap::ValueEnum;
use yomikiri_rules::value::Side;

/// Somebody who can play a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Who {
    /// A person at the prompt
    Human,
    /// By a table where there is one, else by search
    Computer,
    /// Any legal move
    Random,
    /// The move after which it has most
    Greedy,
}

impl Who {
    /// The word for it at the prompt, in arguments and in records.
    pub fn word(self) -> &'static str {
        match self {
            Who::Human => "human",
            Who::Computer => "computer",
            Who::Random => "random",
            Who::Greedy => "greedy",
        }
    }

    /// Reads [`Who::word`], in small letters or capitals.
    pub fn parse(word: &str) -> Option<Who> {
        [Who::Human, Who::Computer, Who::Random, Who::Greedy]
            .into_iter()
            .find(|who| who.word().eq_ignore_ascii_case(word))
    }
}

/// Who plays Black and who White.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seats {
    pub black: Who,
    pub white: Who,
}

impl Seats {
    pub fn of(self, side: Side) -> Who {
        match side {
            Side::Black => self.black,
            Side::White => self.white,
        }
    }

    /// Gives a side to somebody.
    pub fn give(&mut self, side: Side, who: Who) {
        match side {
            Side::Black => self.black = who,
            Side::White => self.white = who,
        }
    }

    /// Whether a person plays.
    pub fn has_person(self) -> bool {
        [self.black, self.white].contains(&Who::Human)
    }
}
