//! Ties the files of a copy of the explorer together: `site.json` has the hashes of all files with values and counts,
//! and the web page has the hash of `site.json`. So a browser rejects files that have changed since the copy was
//! written.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use yomikiri_table::TableError;

use super::super::error::Failure;
use super::integrity::Integrity;
use super::list::{self, HostedSite};

/// The file that has the hash of `site.json`.
const PAGE: &str = "index.html";

/// Returns the hashes of all files with values and counts that `site` lists, by path.
pub fn of(folder: &Path, site: &HostedSite) -> Result<BTreeMap<String, String>, Failure> {
    let parts = site.files.iter().flat_map(|file| &file.parts).map(|part| &part.path);
    let counts = site.counts.values().flat_map(BTreeMap::values);
    let hashed = |path: &String| -> Result<_, Failure> {
        let file = folder.join(path);
        let hash = hash(&file).map_err(TableError::io(&file))?;
        Ok((path.clone(), hash))
    };
    parts.chain(counts).map(hashed).collect()
}

fn hash(path: &Path) -> io::Result<String> {
    let (mut file, mut hash, mut buffer) = (File::open(path)?, Integrity::default(), vec![0; 1 << 20]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hash.end()),
            count => hash.take(&buffer[..count]),
        }
    }
}

/// Writes the hash of `site.json` into the page. Call it after `site.json` is written.
pub fn write_into_page(folder: &Path) -> Result<(), Failure> {
    let (list, page) = (folder.join(list::NAME), folder.join(PAGE));
    let hash = Integrity::of(&fs::read(&list).map_err(TableError::io(&list))?);
    let text = fs::read_to_string(&page).map_err(TableError::io(&page))?;
    let pinned = text.replacen("</head>", &format!("<meta name=\"site\" content=\"{hash}\" /></head>"), 1);
    Ok(fs::write(&page, pinned).map_err(TableError::io(&page))?)
}
