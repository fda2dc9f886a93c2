//! Chooses the folders and addresses from which a program reads tables. Also chooses the folder of the certificates and
//! openings that ship with the program. Options, environment variables and defaults determine these places.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use yomikiri_rules::TextError;

use crate::address;
use crate::location::Location;

/// The environment variable with the folders and network addresses of tables.
pub const TABLES_VARIABLE: &str = "YOMIKIRI_TABLES";

/// The environment variable with the folder of certificates and openings that ship with the program.
pub const DATA_VARIABLE: &str = "YOMIKIRI_DATA";

/// The name of the program's folder inside the data folder of a user or of the system.
const OWN: &str = "yomikiri";

/// The character between two folders in a list, as in `PATH`.
const SEPARATOR: char = if cfg!(windows) { ';' } else { ':' };

/// The facts that decide where a program looks for tables, certificates and openings.
#[derive(Clone, Default)]
pub struct Surroundings {
    /// The value of [`TABLES_VARIABLE`]. An empty value names nothing.
    pub tables: Option<OsString>,
    /// The value of [`DATA_VARIABLE`]. An empty value says that nothing ships with the program.
    pub data: Option<OsString>,
    /// The folder `precomp` of the source tree that the program was built from. It need not exist.
    pub source: PathBuf,
    /// The data folder of the user by the conventions of the system, such as `~/.local/share` on Linux; `None` if it is
    /// not known.
    pub of_user: Option<PathBuf>,
    /// The folder of the program file; `None` if it is not known.
    pub program: Option<PathBuf>,
}

impl Surroundings {
    /// Returns the facts about this process. `program` is the path of the program file, or `None` if it is not known.
    #[cfg(feature = "home")]
    pub fn of_process(program: Option<&Path>) -> Surroundings {
        use etcetera::BaseStrategy;

        let project = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate is in crates/table");
        let of_user = etcetera::base_strategy::choose_native_strategy().ok().map(|user| user.data_dir());
        // A program may be started by a link from another folder. On Windows such links are rare, and the full path
        // would begin with `\\?\`.
        let full = |program: &Path| if cfg!(windows) { None } else { program.canonicalize().ok() };
        let program = program.map(|program| full(program).unwrap_or_else(|| program.into()));
        Surroundings {
            tables: std::env::var_os(TABLES_VARIABLE),
            data: std::env::var_os(DATA_VARIABLE),
            source: project.join("precomp"),
            // Without a home folder, the library may name a folder below the root or the current folder.
            of_user: of_user.filter(|folder| folder.is_absolute()),
            program: program.and_then(|program| Some(program.parent()?.to_path_buf())),
        }
    }

    /// Returns the folders and addresses of tables, at least one. They are taken from the first item of this list that
    /// applies:
    ///
    /// 1. `asked`, unless it is empty
    /// 2. the places that [`TABLES_VARIABLE`] names
    /// 3. the folder [`Surroundings::source`], if `is_folder` returns true for it
    /// 4. the program's folder in [`Surroundings::of_user`]
    /// 5. `precomp` in the current folder
    ///
    /// # Errors
    ///
    /// Returns an error if the variable cannot be read as a list ([`split`]).
    pub fn places(&self, asked: &[PathBuf], is_folder: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>, TextError> {
        if !asked.is_empty() {
            return Ok(asked.to_vec());
        }
        let said = split(TABLES_VARIABLE, self.tables.as_deref().unwrap_or_default())?;
        if !said.is_empty() {
            return Ok(said);
        }
        let of_user = || self.of_user.as_ref().map(|folder| folder.join(OWN));
        let source = Some(self.source.clone()).filter(|folder| is_folder(folder));
        Ok(vec![source.or_else(of_user).unwrap_or_else(|| "precomp".into())])
    }

    /// Returns the folder of certificates and openings that ship with the program, or `None` if there is none. If
    /// [`DATA_VARIABLE`] is set, it names the folder; an empty value means none. Otherwise the folder is the first of
    /// these for which `is_folder` returns true: [`Surroundings::source`], `data` in the folder of the program file,
    /// and `../share/yomikiri` relative to the folder of the program file.
    ///
    /// # Errors
    ///
    /// Returns an error if the variable names an address.
    pub fn knowledge(&self, is_folder: impl Fn(&Path) -> bool) -> Result<Option<PathBuf>, TextError> {
        if let Some(said) = &self.data {
            return match address::of(Path::new(said)) {
                Some(_) => {
                    let remedy = format!("must name a folder, not an address; put addresses in {TABLES_VARIABLE}");
                    Err(TextError::new(DATA_VARIABLE, remedy))
                }
                None => Ok(Some(PathBuf::from(said)).filter(|folder| !folder.as_os_str().is_empty())),
            };
        }
        let program = self.program.as_deref();
        let shared = |program: &Path| Some(program.parent()?.join("share").join(OWN));
        let installed = [program.map(|program| program.join("data")), program.and_then(shared)];
        let places = [Some(self.source.clone())].into_iter().chain(installed).flatten();
        Ok(places.into_iter().find(|folder| is_folder(folder)))
    }
}

/// Returns the location of these folders and addresses ([`Location::find`], [`Location::and`]), with the certificates
/// and openings of the folder `knowledge`.
///
/// # Errors
///
/// Returns an error if an address cannot be read, or if one of the paths is not a folder.
///
/// # Panics
///
/// Panics if `places` is empty.
pub fn location(places: Vec<PathBuf>, knowledge: Option<&Path>) -> crate::Result<Location> {
    let mut places = places.into_iter();
    let first = Location::find(places.next().expect("there is a place"))?;
    Ok(places.try_fold(first, Location::and)?.with_knowledge(knowledge))
}

/// Splits a list of folders and addresses, which are separated as in `PATH`. Addresses must come last, because the
/// separator may be a part of an address. Empty names are left out. Errors call the list `field`.
///
/// # Errors
///
/// Returns an error if it is not clear where an address ends.
pub fn split(field: &str, list: &OsStr) -> Result<Vec<PathBuf>, TextError> {
    let Some(text) = list.to_str() else {
        return match list.to_string_lossy().contains("://") {
            true => Err(TextError::new(field, "has an address and a name that is not UTF-8; give each with --tables")),
            false => Ok(folders(list)),
        };
    };
    let mut rest = text;
    let mut addresses = Vec::new();
    // Takes addresses off the end of the list, the last one first.
    while let Some(start) = last_address(rest) {
        let address = &rest[start..];
        if has_separator(address) {
            let shown = address::shown(Path::new(address));
            let problem = format!(
                "\"{shown}\" may be one address or several names; name addresses last, or give each place with --tables"
            );
            return Err(TextError::new(field, problem));
        }
        addresses.push(PathBuf::from(address));
        rest = rest[..start].strip_suffix(SEPARATOR).unwrap_or_default();
    }
    Ok(folders(OsStr::new(rest)).into_iter().chain(addresses.into_iter().rev()).collect())
}

/// Joins folders and addresses into a list that [`split`] can read.
pub fn join(places: &[PathBuf]) -> OsString {
    places.iter().map(|place| place.as_os_str()).collect::<Vec<_>>().join(OsStr::new(&SEPARATOR.to_string()))
}

/// Splits a list without addresses.
fn folders(list: &OsStr) -> Vec<PathBuf> {
    std::env::split_paths(list).filter(|folder| !folder.as_os_str().is_empty()).collect()
}

/// Returns the byte offset of the last address in a list, which is the last name that begins with a scheme and `://`.
/// Returns `None` if the list has no address.
fn last_address(list: &str) -> Option<usize> {
    let starts = list.match_indices(SEPARATOR).map(|(at, _)| at + 1).chain([0]);
    starts.filter(|&start| address::of(Path::new(&list[start..])).is_some()).max()
}

/// Returns true if the address contains a [`SEPARATOR`] at which it could end. Separators in `://`, in the user name
/// or password, before the port, or in an IPv6 host in brackets do not count.
fn has_separator(address: &str) -> bool {
    let (_, rest) = address.split_once("://").unwrap_or(("", address));
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let is_port = |text: &str| !text.is_empty() && text.bytes().all(|digit| digit.is_ascii_digit());
    let name = match host.rsplit_once(':') {
        Some((name, port)) if is_port(port) => name,
        _ => host,
    };
    let is_number = name.starts_with('[') && name.ends_with(']') && name.matches(']').count() == 1;
    path.contains(SEPARATOR) || !is_number && name.contains(SEPARATOR)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths<const N: usize>(names: [&str; N]) -> Vec<PathBuf> {
        names.map(PathBuf::from).to_vec()
    }

    /// A list with the separator of the system in place of each `|`.
    fn list(text: &str) -> OsString {
        text.replace('|', &SEPARATOR.to_string()).into()
    }

    #[test]
    fn the_first_of_option_variable_source_and_user_names_the_places() {
        let all = Surroundings {
            tables: Some(list("said|https://host/t")),
            source: "source/precomp".into(),
            of_user: Some("/home/user/data".into()),
            ..Surroundings::default()
        };
        let (yes, no) = (|_: &Path| true, |_: &Path| false);
        assert_eq!(all.places(&paths(["a", "b:c"]), yes), Ok(paths(["a", "b:c"])));
        assert_eq!(all.places(&[], yes), Ok(paths(["said", "https://host/t"])));
        for empty in [None, Some(OsString::new()), Some(list("|"))] {
            let unsaid = Surroundings { tables: empty, ..all.clone() };
            assert_eq!(unsaid.places(&[], yes), Ok(paths(["source/precomp"])));
            assert_eq!(unsaid.places(&[], no), Ok(paths(["/home/user/data/yomikiri"])));
            let homeless = Surroundings { of_user: None, ..unsaid };
            assert_eq!(homeless.places(&[], no), Ok(paths(["precomp"])));
        }
    }

    #[test]
    fn knowledge_is_that_of_the_variable_the_source_or_the_program() {
        let [source, beside, shared] = ["source/precomp", "/opt/y/bin/data", "/opt/y/share/yomikiri"].map(Path::new);
        let all = Surroundings { source: source.into(), program: Some("/opt/y/bin".into()), ..Surroundings::default() };
        for there in [vec![source, beside, shared], vec![beside, shared], vec![shared], Vec::new()] {
            let found = all.knowledge(|folder| there.contains(&folder));
            assert_eq!(found, Ok(there.first().map(|folder| folder.to_path_buf())));
        }
        let said = |text: &str| Surroundings { data: Some(text.into()), ..all.clone() }.knowledge(|_| true);
        assert_eq!(said("elsewhere"), Ok(Some("elsewhere".into())));
        assert_eq!(said(""), Ok(None));
        let error = said("https://host/t").unwrap_err().to_string();
        assert!(error.starts_with("YOMIKIRI_DATA: must name a folder, not an address; "), "{error}");
    }

    #[test]
    fn addresses_in_a_list_stay_whole() {
        for (text, names) in [
            ("", vec![]),
            ("a", vec!["a"]),
            ("a||b|", vec!["a", "b"]),
            ("https://host/t", vec!["https://host/t"]),
            ("https://host:8443", vec!["https://host:8443"]),
            ("a|s3://bucket", vec!["a", "s3://bucket"]),
            ("a|/b|http://[::1]:80/t/", vec!["a", "/b", "http://[::1]:80/t/"]),
            ("http://[::1]/t|http://me:word@host/t", vec!["http://[::1]/t", "http://me:word@host/t"]),
            ("a|https://host:1/t|gs://b|s3://c/d", vec!["a", "https://host:1/t", "gs://b", "s3://c/d"]),
        ] {
            let names: Vec<PathBuf> = names.into_iter().map(PathBuf::from).collect();
            assert_eq!(split("list", &list(text)), Ok(names.clone()), "{text}");
            assert_eq!(split("list", &join(&names)), Ok(names), "{text}");
        }
        for unclear in ["https://host/t|/a", "https://host|a", "https://host|", "s3://a|/b", "a|s3://b|/c|s3://d"] {
            let error = split("list", &list(unclear)).unwrap_err().to_string();
            assert!(error.contains("may be one address or several names"), "{unclear}: {error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn names_need_not_be_utf_8() {
        use std::os::unix::ffi::OsStrExt;
        let names = split("list", OsStr::from_bytes(b"a:\xff")).unwrap();
        assert_eq!(names, [Path::new("a"), Path::new(OsStr::from_bytes(b"\xff"))]);
        let error = split("list", OsStr::from_bytes(b"\xff:https://host/t")).unwrap_err().to_string();
        assert!(error.starts_with("list: has an address and a name that is not UTF-8"), "{error}");
    }
}
