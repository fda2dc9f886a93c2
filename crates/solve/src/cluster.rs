//! A whole board made by many machines: every machine takes some tiers of one ply through one step, and what is
//! finished lies in a storage that all of them see, a section in a file of its own. Who does what, and when, is decided
//! elsewhere; a step may be done twice or broken off at any moment, for its files are there whole or not at all and
//! depend on nothing but the rules.
//!
//! Below the folder of a run lie `reach/TIER` (positions that can arise), `values/TIER`, `marks/TIER/GROUP` (where the
//! moves of a group of tiers have led to, until the tier they lead to is audited) and `audit/GROUP`, a line of JSON
//! that says which tiers have passed. A group is named by its first tier.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use crate::audit::{Audit, AuditedSections, Marks};
use crate::cache::Cache;
use crate::tiers::{Link, NodeOf, Row, Tiered, enumerate, solve};
use crate::two_steps::{read_words, with_words};
use crate::{Result, SolveError};
use yomikiri_rules::Value;
use yomikiri_table::blocks::{Lanes, ROWS_PER_BLOCK};
use yomikiri_table::{
    Assembly, Contents, Entry, Identity, IndexKind, Meta, NewSection, Progress, SectionBlocks, SectionFile, Storage,
    TableError, Tally,
};

/// What is done with a tier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Needs the same step of the tiers from which moves lead here.
    Enumerate,
    /// Needs the tier enumerated, and the same step of the tiers to which moves lead.
    Solve,
    /// Needs the tier and those to which its moves lead solved, and the same step of the tiers from which moves lead
    /// here.
    Audit,
}

impl Step {
    /// The folder of its files, and what journals call the run that makes them.
    fn folder(self) -> &'static str {
        match self {
            Step::Enumerate => "reach",
            Step::Solve => "values",
            Step::Audit => "audit",
        }
    }
}

/// Where the positions that moves lead to are marked.
const MARKS: &str = "marks";

/// Which tiers of a group have passed the audit.
#[derive(Serialize, Deserialize)]
struct Passed {
    tiers: Vec<usize>,
}

/// A run over a board, and where its files lie.
pub struct ClusterRun<'a, G: Tiered> {
    game: &'a G,
    graph: Vec<NodeOf<G>>,
    parents: Vec<Vec<Link<G::Step>>>,
    storage: &'a Storage,
    folder: String,
    /// Bytes of memory that a step may use.
    memory: u64,
    read: AtomicU64,
    written: AtomicU64,
}

impl<'a, G: Tiered> ClusterRun<'a, G> {
    /// Refuses boards whose tiers do not fit the memory.
    pub fn new(game: &'a G, storage: &'a Storage, memory: u64) -> Result<Self> {
        if game.largest_tier().is_none() {
            return Err(SolveError::TooLarge(format!("{}: its tiers have more rows than numbers", game.code())));
        }
        let graph = game.tier_graph();
        let parents = enumerate::parents_of::<G>(&graph);
        let folder = format!("{}.run", game.code());
        let [read, written] = [0, 0].map(AtomicU64::new);
        let run = ClusterRun { game, graph, parents, storage, folder, memory, read, written };
        let steps = [Step::Enumerate, Step::Solve, Step::Audit];
        let needs = |number| steps.map(|step| run.needs(step, number)).into_iter().max();
        let least = (0..run.graph.len()).filter_map(needs).max().unwrap_or(0);
        match least <= memory {
            true => Ok(run),
            false => {
                let text = format!("{}: a step needs {least} bytes of memory, not {memory}", game.code());
                Err(SolveError::TooLarge(text))
            }
        }
    }

    /// All tiers by number: ply, rows, and the tiers to which moves lead.
    pub fn tiers(&self) -> impl Iterator<Item = (u32, usize, Vec<usize>)> + '_ {
        self.graph.iter().map(|node| {
            let mut children: Vec<usize> = node.links.iter().map(|link| link.child).collect();
            children.sort_unstable();
            children.dedup();
            (node.ply, node.rows, children)
        })
    }

    /// Bytes of memory that a step over a tier needs.
    pub fn needs(&self, step: Step, number: usize) -> u64 {
        let node = &self.graph[number];
        let neighbours = match step {
            Step::Enumerate => &self.parents[number],
            Step::Solve | Step::Audit => &node.links,
        };
        let other = neighbours.iter().map(|link| self.graph[link.child].rows).max().unwrap_or(0) as u64;
        let rows = node.rows as u64;
        let row = size_of::<Row>() as u64;
        match step {
            // Lanes, twice where there are images, and those of a parent as they are read and spread.
            Step::Enumerate => (2 * rows + 2 * other) * size_of::<Lanes>() as u64,
            Step::Solve => (rows + rows / 4 + other) * row,
            Step::Audit => (2 * rows + rows / 2 + other) * row,
        }
    }

    /// Bytes that have been read from the storage, and written there.
    pub fn moved(&self) -> (u64, u64) {
        (self.read.load(Ordering::Relaxed), self.written.load(Ordering::Relaxed))
    }

    fn name(&self, folder: &str, number: usize) -> String {
        format!("{}/{folder}/{number:06}", self.folder)
    }

    fn identity(&self, purpose: &str) -> Identity {
        Identity::of(self.game, purpose)
    }

    /// The tiers that have come through a step.
    pub fn finished(&self, step: Step) -> Result<Vec<usize>> {
        let files = self.storage.list(&format!("{}/{}", self.folder, step.folder()))?;
        let mut tiers = Vec::new();
        for (name, _) in files {
            let number = name.rsplit('/').next().and_then(|number| number.parse().ok());
            match (step, number) {
                (Step::Audit, Some(group)) => tiers.extend(self.passed(group)?),
                (_, number) => tiers.extend(number),
            }
        }
        tiers.retain(|&number| number < self.graph.len());
        tiers.sort_unstable();
        tiers.dedup();
        Ok(tiers)
    }

    /// The tiers of a group that have passed the audit.
    fn passed(&self, group: usize) -> Result<Vec<usize>> {
        let name = self.name(Step::Audit.folder(), group);
        let Some(bytes) = self.storage.get(&name)? else { return Ok(Vec::new()) };
        let passed = serde_json::from_slice::<Passed>(&bytes).map(|passed| passed.tiers);
        passed.map_err(|_| damaged(&self.storage.path(&name)).into())
    }

    /// Whether a tier has come through a step that leaves a section.
    fn has(&self, folder: &str, number: usize) -> Result<bool> {
        Ok(self.storage.open(&self.name(folder, number))?.is_some())
    }

    /// A section of a tier.
    fn section(&self, folder: &str, number: usize) -> Result<SectionFile> {
        self.file(&self.name(folder, number), folder, number)
    }

    fn file(&self, name: &str, purpose: &str, number: usize) -> Result<SectionFile> {
        let path = self.storage.path(name);
        let bytes = self.storage.get(name)?.ok_or_else(|| missing(&path))?;
        self.read.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        let file = SectionFile::decode(bytes, &path, &self.identity(purpose)).map_err(name_the_cure)?;
        self.check_entry(file.entry(), number, &path)?;
        Ok(file)
    }

    /// What the record of a section says.
    fn entry(&self, folder: &str, number: usize) -> Result<Entry> {
        let name = self.name(folder, number);
        let path = self.storage.path(&name);
        let file = self.storage.open(&name)?.ok_or_else(|| missing(&path))?;
        let entry = SectionFile::read_entry(&*file, &path, &self.identity(folder)).map_err(name_the_cure)?;
        self.check_entry(&entry, number, &path)?;
        Ok(entry)
    }

    fn check_entry(&self, entry: &Entry, number: usize, path: &Path) -> Result<(), TableError> {
        let node = &self.graph[number];
        if (entry.key, entry.rows) == (node.base, node.rows as u64) { Ok(()) } else { Err(damaged(path)) }
    }

    fn put(&self, name: &str, purpose: &str, section: &NewSection) -> Result<()> {
        self.put_bytes(name, SectionFile::encode(section, &self.identity(purpose)))
    }

    fn put_bytes(&self, name: &str, bytes: Vec<u8>) -> Result<()> {
        self.written.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(self.storage.put(name, bytes)?)
    }

    /// Takes some tiers of one ply through a step; those that have come through it are passed over.
    pub fn work(&self, step: Step, tiers: &[usize], progress: &dyn Progress) -> Result<()> {
        let plies = |&number: &usize| self.graph.get(number).map(|node| node.ply);
        let ply = tiers.first().and_then(plies);
        if tiers.iter().any(|number| plies(number).is_none() || plies(number) != ply) {
            return Err(SolveError::TooLarge("the tiers of a step are of one ply of the board".into()));
        }
        match step {
            Step::Enumerate => self.enumerate(tiers, progress),
            Step::Solve => self.solve(tiers, progress),
            Step::Audit => self.audit(tiers, progress),
        }
    }

    /// What is left of the memory for sheets that several tiers need.
    fn room(&self, step: Step, tiers: &[usize]) -> u64 {
        let needs = tiers.iter().map(|&number| self.needs(step, number)).max().unwrap_or(0);
        self.memory.saturating_sub(needs)
    }

    fn enumerate(&self, tiers: &[usize], progress: &dyn Progress) -> Result<()> {
        let folder = Step::Enumerate.folder();
        let mut cache = Cache::new(self.room(Step::Enumerate, tiers));
        for &number in tiers {
            if !self.has(folder, number)? {
                let sheet = |parent: usize| {
                    if let Some(lanes) = cache.get(parent) {
                        return Ok(Some(lanes));
                    }
                    let section = self.section(folder, parent)?;
                    if section.count() == 0 {
                        return Ok(None);
                    }
                    Ok(Some(enumerate::load(self.game, &self.graph[parent], &section, (parent, &mut cache))?))
                };
                let lanes = enumerate::reached(self.game, &self.graph, number, &self.parents[number], sheet)?;
                let name = self.name(folder, number);
                let put = |section: NewSection| self.put(&name, folder, &section);
                enumerate::with_section(self.game, &self.graph[number], &lanes, put)?;
            }
            progress.advance(1);
        }
        Ok(())
    }

    fn solve(&self, tiers: &[usize], progress: &dyn Progress) -> Result<()> {
        let folder = Step::Solve.folder();
        let mut cache = Cache::new(self.room(Step::Solve, tiers));
        for &number in tiers {
            let (node, name) = (&self.graph[number], self.name(folder, number));
            if !self.has(folder, number)? {
                let reach = self.section(Step::Enumerate.folder(), number)?;
                if reach.count() == 0 {
                    self.put(&name, folder, &solve::empty_section(node))?;
                } else {
                    let rows = solve::valued(self.game, &self.graph, node, |child| {
                        if let Some(sheet) = cache.get(child) {
                            return Ok(sheet);
                        }
                        let section = self.section(folder, child)?;
                        solve::load(self.game, &self.graph[child], &section, (child, &mut cache))
                    })?;
                    let lanes = enumerate::stored_lanes::<G>(node, &reach)?;
                    solve::with_section(self.game, node, &lanes, &rows, |section| self.put(&name, folder, &section))??;
                }
            }
            // Whoever needs it has come through the step before: the tiers to which moves lead are solved.
            self.storage.delete(&self.name(Step::Enumerate.folder(), number))?;
            progress.advance(1);
        }
        Ok(())
    }

    /// Audits a group. Its marks are written before the line that says that it has passed, and those that led to its
    /// tiers are deleted after that.
    fn audit(&self, tiers: &[usize], progress: &dyn Progress) -> Result<()> {
        let Some(&group) = tiers.first() else { return Ok(()) };
        let passed = self.passed(group)?;
        if tiers.iter().all(|number| passed.contains(number)) {
            progress.advance(tiers.len() as u64);
            return Ok(());
        }
        let audited = Values(self);
        let audit = Audit::new(self.game, &self.graph, &audited);
        let mut cache = Cache::new(self.room(Step::Audit, tiers));
        let mut next: HashMap<usize, Marks> = HashMap::new();
        for &number in tiers {
            let mut tally = Tally::default();
            audit.tier(number, Some(self.marks(&audit, number)?), &mut next, &mut cache, &mut tally)?;
            if tally != self.entry(Step::Solve.folder(), number)?.tally {
                let path = self.storage.path(&self.name(Step::Solve.folder(), number));
                return Err(TableError::damaged(&path, "its counts are not those of its positions").into());
            }
            progress.advance(1);
        }
        for (child, marks) in next {
            let node = &self.graph[child];
            let word = |row: usize| marks.seen[row].load(Ordering::Relaxed);
            let name = format!("{}/{group:06}", self.name(MARKS, child));
            with_words((node.base, node.ply), node.rows, ROWS_PER_BLOCK, word, |section| {
                self.put(&name, MARKS, &section)
            })?;
        }
        let line = serde_json::to_vec(&Passed { tiers: tiers.to_vec() }).expect("numbers are plain data");
        self.put_bytes(&self.name(Step::Audit.folder(), group), line)?;
        for &number in tiers {
            for (name, _) in self.storage.list(&self.name(MARKS, number))? {
                self.storage.delete(&name)?;
            }
        }
        Ok(())
    }

    /// Where moves have led to in a tier, of all groups before it.
    fn marks(&self, audit: &Audit<G>, number: usize) -> Result<Marks> {
        let node = &self.graph[number];
        let marks = if number == 0 { audit.start_seen() } else { audit.no_marks(node) };
        for (name, _) in self.storage.list(&self.name(MARKS, number))? {
            let words = read_words(&self.file(&name, MARKS, number)?, node.rows, ROWS_PER_BLOCK)?;
            marks.seen.iter().zip(words).for_each(|(seen, word)| {
                seen.fetch_or(word, Ordering::Relaxed);
            });
        }
        Ok(marks)
    }

    /// The sections of values in the order of a run on one machine: the last tier first.
    fn order(&self) -> impl Iterator<Item = usize> {
        (0..self.graph.len()).rev()
    }

    /// Where everything lies in the table. All tiers have to be solved.
    pub fn assembly(&self) -> Result<Assembly> {
        let folder = Step::Solve.folder();
        let entries: Vec<Entry> = self.order().map(|number| self.entry(folder, number)).collect::<Result<_>>()?;
        let mut tally = Tally::default();
        entries.iter().for_each(|entry| tally.merge(&entry.tally));
        let (start, identity) = (self.game.start(), self.identity(folder));
        let contents = Contents {
            kind: IndexKind::Tiers,
            value_codec: G::Value::CODEC as u8,
            rule_code: &identity.rule_code,
            rules_revision: identity.rules_revision,
            positions: tally.positions(),
        };
        let (root, root_key) = (self.game.position_text(&start), self.game.rank(&start));
        let meta = Meta { root, root_key, tally, ended: Default::default() };
        Ok(Assembly::new(&entries, &contents, &meta))
    }

    /// Writes a range of the table's bytes into a file. The hashes of the blocks are checked on the way.
    pub fn write_piece(&self, assembly: &Assembly, range: Range<u64>, name: &str) -> Result<()> {
        let order: Vec<usize> = self.order().collect();
        let packed = |at: usize| {
            let name = self.name(Step::Solve.folder(), order[at]);
            let section = self.section(Step::Solve.folder(), order[at]);
            section.map_err(|error| foreign(&self.storage.path(&name), error))?.into_packed()
        };
        let bytes = assembly.bytes(range, packed)?;
        self.put_bytes(name, bytes)
    }

    /// Deletes the files of the run.
    pub fn clean(&self) -> Result<()> {
        let folders = [Step::Enumerate, Step::Solve, Step::Audit].map(Step::folder).map(String::from);
        let marks = (0..self.graph.len()).map(|number| format!("{MARKS}/{number:06}"));
        for folder in folders.into_iter().chain(marks) {
            for (name, _) in self.storage.list(&format!("{}/{folder}", self.folder))? {
                self.storage.delete(&name)?;
            }
        }
        Ok(self.storage.forget_folder(&self.folder)?)
    }
}

/// The values of a run, for its audit.
struct Values<'a, G: Tiered>(&'a ClusterRun<'a, G>);

impl<G: Tiered> AuditedSections for Values<'_, G> {
    fn path(&self) -> &Path {
        Path::new(&self.0.folder)
    }

    fn section(&self, number: usize) -> Result<Option<Box<dyn SectionBlocks + '_>>> {
        let section = self.0.section(Step::Solve.folder(), number)?;
        Ok((section.count() > 0).then(|| Box::new(section) as Box<dyn SectionBlocks>))
    }
}

fn missing(path: &Path) -> TableError {
    TableError::foreign(path, "not there: another step has to come first")
}

fn damaged(path: &Path) -> TableError {
    name_the_cure(TableError::damaged(path, "is not what its run has written"))
}

/// What is damaged has to be made again.
fn name_the_cure(error: TableError) -> TableError {
    match error {
        TableError::Damaged { path, what } => {
            TableError::Damaged { path, what: format!("{what}; delete it and give the same command again") }
        }
        other => other,
    }
}

/// An error of another kind about a file.
fn foreign(path: &Path, error: SolveError) -> TableError {
    match error {
        SolveError::Table(error) => error,
        other => TableError::foreign(path, other.to_string()),
    }
}
