//! The files of the explorer, the web page of `yomikiri serve`. They are built into the program.

use std::io::Read;
use std::sync::OnceLock;

use flate2::read::GzDecoder;

/// A file of the web page. The program embeds the shorter of two forms: the plain file, or the file compressed by gzip.
pub struct File {
    /// The path below the root of the page, without a leading slash.
    pub path: &'static str,
    /// The embedded bytes, compressed if `is_gzip` is true.
    stored: &'static [u8],
    is_gzip: bool,
    /// The decompressed bytes of a compressed file, computed on first use.
    plain: OnceLock<Vec<u8>>,
}

// The constructors are unused if the program is built without the web page.
#[allow(dead_code)]
impl File {
    const fn plain(path: &'static str, stored: &'static [u8]) -> File {
        File { path, stored, is_gzip: false, plain: OnceLock::new() }
    }

    const fn compressed(path: &'static str, stored: &'static [u8]) -> File {
        File { path, stored, is_gzip: true, plain: OnceLock::new() }
    }

    /// Returns the bytes compressed by gzip, or `None` if the compressed form is not shorter.
    pub fn gzip(&self) -> Option<&'static [u8]> {
        self.is_gzip.then_some(self.stored)
    }

    /// Returns the bytes of the file.
    pub fn bytes(&'static self) -> &'static [u8] {
        let Some(gzip) = self.gzip() else { return self.stored };
        self.plain.get_or_init(|| {
            let mut bytes = Vec::new();
            GzDecoder::new(gzip).read_to_end(&mut bytes).expect("the build compressed it");
            bytes
        })
    }
}

// The build script generates `PAGE: [File; N]`.
include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The error message of a program that was built without the page.
pub const WITHOUT: &str = "this program was built without the page; \"make serve\" builds it with the page";

/// Returns all files of the page. The list is empty if the program was built without the page.
pub fn files() -> &'static [File] {
    &PAGE
}

/// Returns the file at a path below the root of the page, such as `index.html`, or `None` if there is no such file.
pub fn find(path: &str) -> Option<&'static File> {
    PAGE.iter().find(|file| file.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_their_bytes_in_either_form() {
        let (mut compressed, text) = (Vec::new(), "a line of the page\n".repeat(100));
        flate2::read::GzEncoder::new(text.as_bytes(), flate2::Compression::best())
            .read_to_end(&mut compressed)
            .unwrap();
        let (compressed, text): (&'static [u8], &'static str) = (compressed.leak(), text.leak());
        let files: &'static [File] =
            Vec::from([File::compressed("a", compressed), File::plain("b", text.as_bytes())]).leak();
        assert!(files.iter().all(|file| file.bytes() == text.as_bytes()));
        assert!(compressed.len() < text.len() && files[1].gzip().is_none());
        assert!(self::files().iter().all(|file| !file.bytes().is_empty()));
    }
}
