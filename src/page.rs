//! The files of the web page that are built into the program.

/// A file of the page.
pub struct File {
    /// The path below the root of the page, without a leading slash.
    pub path: &'static str,
    pub bytes: &'static [u8],
    /// The bytes compressed by gzip. `None` if that form is not smaller.
    pub gzip: Option<&'static [u8]>,
}

// The build script generates `PAGE: &[File]`.
include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The message if the program was built without the page.
pub const WITHOUT: &str = "this program was built without the page; \"make serve\" builds it with the page";

/// Returns all files of the page. The list is empty if the program was built without the page.
pub fn files() -> &'static [File] {
    PAGE
}

/// Finds a file by its path below the root of the page, such as `index.html`.
pub fn find(path: &str) -> Option<&'static File> {
    PAGE.iter().find(|file| file.path == path)
}
