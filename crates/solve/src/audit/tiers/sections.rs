//! The sections that an audit reads. Each has the values of a part, which is a whole tier or some of its rows
//! ([`crate::tiers::Part`]).

use std::collections::HashMap;
use std::path::Path;

use crate::Result;
use crate::tiers::{Cut, NodeOf, Tiered};
use yomikiri_table::blocks::ROWS_PER_BLOCK;
use yomikiri_table::{SectionBlocks, Table, TableSection};

/// The indices that identify a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PartPlace {
    /// The index of the tier.
    pub tier: usize,
    /// The index of the part among the parts of the tier.
    pub part: usize,
}

/// A source of sections for an audit.
pub trait AuditedSections: Sync {
    /// Returns the path of the audited values, for error messages.
    fn path(&self) -> &Path;

    /// Returns the parts of a tier.
    fn cut(&self, number: usize) -> &Cut;

    /// Returns the index of a part of a tier in the cache of sheets (arrays of the values of a part).
    fn unit(&self, number: usize, part: usize) -> usize;

    /// Returns the section of a part of a tier, or `None` if the part has no positions.
    fn section(&self, number: usize, part: usize) -> Result<Option<Box<dyn SectionBlocks + '_>>>;
}

/// The sections of a finished table.
pub struct TableSections<'a, G: Tiered> {
    graph: &'a [NodeOf<G>],
    table: &'a Table,
    cuts: Vec<Cut>,
    /// The index of each tier's first block in the table, by the first key of the tier.
    pub firsts: HashMap<u64, u64>,
}

impl<'a, G: Tiered> TableSections<'a, G> {
    pub fn new(graph: &'a [NodeOf<G>], table: &'a Table) -> Result<Self> {
        let numbers: HashMap<u64, usize> = graph.iter().enumerate().map(|(number, node)| (node.base, number)).collect();
        let mut firsts = HashMap::new();
        for section in table.sections()? {
            let known = numbers.get(&section.key).is_some_and(|&number| graph[number].rows as u64 == section.rows);
            if !known {
                return Err(table
                    .damaged(format!("the section with key {} is not a tier of this game", section.key))
                    .into());
            }
            firsts.insert(section.key, section.first_block);
        }
        let cuts = graph.iter().map(|node| Cut::whole(node.rows)).collect();
        Ok(TableSections { graph, table, cuts, firsts })
    }
}

impl<G: Tiered> AuditedSections for TableSections<'_, G> {
    fn path(&self) -> &Path {
        self.table.path()
    }

    fn cut(&self, number: usize) -> &Cut {
        &self.cuts[number]
    }

    fn unit(&self, number: usize, _: usize) -> usize {
        number
    }

    fn section(&self, number: usize, _: usize) -> Result<Option<Box<dyn SectionBlocks + '_>>> {
        let (node, table) = (&self.graph[number], self.table);
        let first = self.firsts.get(&node.base);
        let count = node.rows.div_ceil(ROWS_PER_BLOCK);
        Ok(first.map(|&first| Box::new(TableSection { table, first, count }) as Box<dyn SectionBlocks>))
    }
}
