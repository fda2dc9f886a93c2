//! The TypeScript types of the JSON, made from the Rust types.

use std::collections::BTreeMap;

use snapbox::{assert_data_eq, file};
use ts_rs::{Config, TS, TypeVisitor};
use yomikiri_answer::{GameList, LegalMoves, LineReport, QueryReport, RulesReport, View};

use super::answer::{Decoded, KeyOf, Problem, WantedRanges};
use super::question::Question;
use super::values::Choice;

/// TypeScript declarations, indexed by the name of the type.
struct Declarations {
    config: Config,
    known: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // A type without an output path is built into TypeScript.
        let Some(name) = T::output_path().map(|_| T::ident(&self.config)) else { return };
        if !self.known.contains_key(&name) {
            let declaration = format!("{}export {}", T::docs().unwrap_or_default(), T::decl(&self.config));
            self.known.insert(name, declaration);
            T::visit_dependencies(self);
        }
    }
}

/// Checks `types.ts` against the types of all questions and answers, and of the server's answers. After a change of one
/// of these types, this command renews the file: `SNAPSHOTS=overwrite cargo test -p yomikiri-wasm`.
#[test]
fn pages_have_the_types() {
    let config = Config::new().with_large_int("number").with_array_tuple_limit(8);
    let mut types = Declarations { config, known: BTreeMap::new() };
    types.visit::<Question>();
    types.visit::<GameList>();
    types.visit::<RulesReport>();
    types.visit::<View>();
    types.visit::<QueryReport>();
    types.visit::<LegalMoves>();
    types.visit::<LineReport>();
    types.visit::<KeyOf>();
    types.visit::<Decoded>();
    types.visit::<Choice>();
    types.visit::<WantedRanges>();
    types.visit::<Problem>();
    let head = "// Made from the types of the program: SNAPSHOTS=overwrite cargo test -p yomikiri-wasm\n";
    let text = types.known.into_values().fold(head.to_string(), |text, declaration| text + "\n" + &declaration + "\n");
    let text: String = text.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    assert_data_eq!(text, file!["../../../web/src/api/types.ts"].raw());
}
