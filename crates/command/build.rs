//! Embeds the web page in the program: the folder `page` of this crate if it is there, as in a package, else
//! `web/dist` of the project if `make web` has built it. Each file is stored compressed by gzip, or as it is if that is
//! smaller.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use flate2::Compression;
use flate2::write::GzEncoder;

fn main() {
    let crate_folder = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let project = crate_folder.ancestors().nth(2).expect("the crate is in crates/command");
    let packaged = crate_folder.join("page");
    let root = if packaged.exists() { packaged } else { project.join("web/dist") };
    // Cargo treats a missing path as changed and would rebuild the program every time. So without the page, watch
    // `web`, or this file if there is no such folder.
    let watched =
        [root.clone(), project.join("web"), crate_folder.join("build.rs")].into_iter().find(|path| path.exists());
    println!("cargo:rerun-if-changed={}", watched.expect("the last one is this file").display());
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let mut text = format!("static PAGE: [File; {}] = [\n", files.len());
    for (number, file) in files.into_iter().enumerate() {
        let path = file.strip_prefix(&root).expect("below it").to_string_lossy().replace('\\', "/");
        let form = match smaller(&file) {
            Some(bytes) => {
                let place = out.join(format!("{number}.gz"));
                fs::write(&place, bytes).expect("cargo's folder can be written to");
                format!("compressed({path:?}, include_bytes!({place:?}))")
            }
            None => format!("plain({path:?}, include_bytes!({file:?}))"),
        };
        writeln!(text, "    File::{form},").expect("to memory");
    }
    text += "];\n";
    fs::write(out.join("page.rs"), text).expect("cargo's folder can be written to");
}

/// Compresses a file with gzip. Returns `None` if the result is not smaller than the file.
fn smaller(file: &Path) -> Option<Vec<u8>> {
    let bytes = fs::read(file).expect("a file of the page can be read");
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    let compressed = encoder.write_all(&bytes).and_then(|()| encoder.finish()).expect("to memory");
    (compressed.len() < bytes.len()).then_some(compressed)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().map(|entry| entry.path()) {
        if entry.is_dir() { collect(&entry, files) } else { files.push(entry) }
    }
}
