//! Takes the built page (`make web`) into the program, where there is one.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("web/dist");
    // What is missing counts as changed, and the program would be built anew each time.
    println!("cargo:rerun-if-changed={}", if root.exists() { "web/dist" } else { "web" });
    let mut files = Vec::new();
    collect(&root, &mut files);
    files.sort();
    let mut text = String::from("const PAGE: &[File] = &[\n");
    for file in files {
        let path = file.strip_prefix(&root).expect("below it").to_string_lossy().replace('\\', "/");
        writeln!(text, "    File {{ path: {path:?}, bytes: include_bytes!({file:?}) }},").expect("to memory");
    }
    text += "];\n";
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it")).join("page.rs");
    fs::write(out, text).expect("cargo's folder can be written to");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten().map(|entry| entry.path()) {
        if entry.is_dir() { collect(&entry, files) } else { files.push(entry) }
    }
}
