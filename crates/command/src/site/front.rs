//! The web page that lists all copies of the explorer in a folder.

use std::fs;
use std::path::Path;

use yomikiri_answer::{FamilyName, Viewed, shell};
use yomikiri_rules::AnyGame;
use yomikiri_table::{PartFile, Replaceable, first_bytes, local, location, text_file};

use super::super::CommandResult;
use super::super::error::Failure;
use super::super::output::{bytes, print, shown};
use super::list::{self, HostedKind, HostedSite};

/// The folder of the copies without `--into`.
pub const FOLDER: &str = "site";

/// The HTML before the rows of the list of copies. `TAIL` is the HTML after the rows.
const HEAD: &str = include_str!("front.html");
const TAIL: &str = "</tbody>\n</table>\n</main>\n</body>\n</html>\n";

/// The line in [`HEAD`] that identifies a list of copies of the explorer.
const MARK: &str = "<!-- yomikiri site -->\n";

/// Writes `index.html` with a list of all copies of the explorer below a folder.
pub fn write(folder: &Path) -> CommandResult {
    local::check(folder).map_err(Failure::request)?;
    location::folder_of(folder.into())?;
    let copies = copies(folder)?;
    if copies.is_empty() {
        let into = if folder == Path::new(FOLDER) { String::new() } else { format!(" --into {}", shell::path(folder)) };
        let what = format!("there is no copy yet; make one with: yomikiri site CODE{into}");
        return Err(Failure::work(format!("{}: {what}", shown(folder))));
    }
    let rows: String = copies.iter().map(row).collect::<Result<_, _>>()?;
    let path = folder.join("index.html");
    let own = Replaceable::own("a list of copies", is_list).or("move it away");
    PartFile::write(&path, format!("{HEAD}{rows}{TAIL}").as_bytes(), own)?;
    print(&format!("{}: a list of {} copies", shown(&path), copies.len()))
}

/// Returns true if a file is a list of copies of the explorer. Lists by older versions of this program have the same
/// head without the line [`MARK`].
fn is_list(path: &Path) -> bool {
    let old = HEAD.replacen(MARK, "", 1);
    first_bytes(path, HEAD.len()).is_some_and(|first| {
        first.windows(MARK.len()).any(|part| part == MARK.as_bytes()) || first.starts_with(old.as_bytes())
    })
}

/// Reads the descriptions of the copies of the explorer below a folder, sorted by rule code.
fn copies(folder: &Path) -> Result<Vec<HostedSite>, Failure> {
    let Ok(entries) = fs::read_dir(folder) else { return Ok(Vec::new()) };
    let mut copies = Vec::new();
    for entry in entries.flatten() {
        let (path, name) = (entry.path().join(list::NAME), entry.file_name());
        let Ok(text) = text_file::read(&path, list::LONGEST) else { continue };
        let site: HostedSite = serde_json::from_str(&text).map_err(|error| Failure::work(error).named(shown(&path)))?;
        // An unfinished or renamed copy does not count.
        if name.to_str() == Some(&site.opens) && !site.files.is_empty() {
            copies.push(site);
        }
    }
    copies.sort_by(|one, other| one.opens.cmp(&other.opens));
    Ok(copies)
}

/// Formats the row for a copy of the explorer. Codes have no characters that need an escape in HTML.
fn row(site: &HostedSite) -> Result<String, Failure> {
    let (code, held) = (&site.opens, &site.files[0]);
    let (english, japanese) = match AnyGame::parse(code)?.name() {
        FamilyName::Binarsi => ("Binarsi", "ビナーシ"),
        FamilyName::AnimalShogi => ("Animal shogi", "どうぶつしょうぎ"),
        FamilyName::Pyonpyon => ("Pyonpyon", "ぴょんぴょんゲーム"),
        FamilyName::PyonpyonShogi => ("Pyonpyon with shogi pieces", "ぴょんぴょんゲーム(将棋の駒)"),
        FamilyName::Reversi => ("Reversi", "リバーシ"),
        FamilyName::ConnectFour => ("Connect Four", "コネクトフォー"),
    };
    let (what, of) = match held.kind {
        HostedKind::Table => ("every position", "全局面"),
        HostedKind::Certificate | HostedKind::Opening => ("who wins, by proof", "勝者の証明"),
        HostedKind::Excerpt => ("the positions that one side needs to play best", "一方の最善手"),
    };
    let size = bytes(held.bytes as f64);
    Ok(format!(
        "<tr><td><a href=\"{code}/\">{code}</a></td><td>{english} <span lang=\"ja\">{japanese}</span></td>\
         <td>{what} <span lang=\"ja\">{of}</span></td><td>{size}</td></tr>\n"
    ))
}
