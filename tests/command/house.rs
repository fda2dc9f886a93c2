//! The walls of the house: which file takes names from which. The compiler sees circles between crates alone; here
//! are those between files and folders.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::Visit;
use syn::{ItemMod, UseTree, Visibility};

/// A module of a crate: its path from the root of the crate, without the crate itself.
type Module = Vec<String>;

/// One crate as its files tell it.
#[derive(Default)]
struct House {
    /// The file of each module that has one, from the root of the crate's sources.
    files: BTreeMap<Module, PathBuf>,
    /// Names that a module hands on from elsewhere in the crate: where each comes from.
    exports: BTreeMap<(Module, String), Module>,
    /// Paths that the code of a module names, from the root of the crate.
    uses: Vec<(Module, Module)>,
}

impl House {
    /// Reads the sources of a crate below `root`, whose root file is `lib.rs` or `main.rs`.
    fn read(root: &Path) -> House {
        let mut house = House::default();
        let file = ["lib.rs", "main.rs"].into_iter().find(|name| root.join(name).exists()).expect("a root file");
        house.read_module(root, Vec::new(), PathBuf::from(file));
        house
    }

    fn read_module(&mut self, root: &Path, module: Module, file: PathBuf) {
        let text = std::fs::read_to_string(root.join(&file)).unwrap();
        let code = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.files.insert(module.clone(), file.clone());
        let is_root = module.is_empty() || file.ends_with("mod.rs");
        let folder = if is_root { file.parent().unwrap().to_path_buf() } else { file.with_extension("") };
        let mut names = Names { module: module.clone(), house: self, children: Vec::new() };
        names.visit_file(&code);
        for child in names.children {
            let own = folder.join(format!("{child}.rs"));
            let file = if root.join(&own).exists() { own } else { folder.join(&child).join("mod.rs") };
            let path = module.iter().cloned().chain([child]).collect();
            self.read_module(root, path, file);
        }
    }

    /// The module in which the thing that a path names is written.
    fn home(&self, path: &[String]) -> Option<Module> {
        let mut path = path.to_vec();
        // Names are handed on a few times at most.
        for _ in 0..8 {
            let known = (0..=path.len()).rev().find(|&length| self.files.contains_key(&path[..length]))?;
            let (module, rest) = path.split_at(known);
            let export = rest.first().and_then(|name| self.exports.get(&(module.to_vec(), name.clone())));
            match export {
                Some(origin) => path = origin.iter().chain(&rest[1..]).cloned().collect(),
                None => return Some(module.to_vec()),
            }
        }
        None
    }

    /// Which file takes names from which others.
    fn arrows(&self) -> BTreeMap<PathBuf, BTreeSet<PathBuf>> {
        let mut arrows: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
        for (from, path) in &self.uses {
            let Some(home) = self.home(path) else { continue };
            let (from, to) = (&self.files[from], &self.files[&home]);
            if from != to {
                arrows.entry(from.clone()).or_default().insert(to.clone());
            }
        }
        arrows
    }
}

/// Collects what the code of one module names.
struct Names<'a> {
    module: Module,
    house: &'a mut House,
    children: Vec<String>,
}

impl Names<'_> {
    /// A path as written, from the root of the crate; `None` if it leads out of the crate.
    fn absolute(&self, path: &[String]) -> Option<Module> {
        let (mut base, mut rest) = match path.first()?.as_str() {
            "crate" => (Vec::new(), &path[1..]),
            "self" => (self.module.clone(), &path[1..]),
            "super" => (self.module.clone(), path),
            first if self.children.iter().any(|child| child == first) => (self.module.clone(), path),
            _ => return None,
        };
        while let Some(("super", after)) = rest.split_first().map(|(first, after)| (first.as_str(), after)) {
            base.pop();
            rest = after;
        }
        Some(base.into_iter().chain(rest.iter().cloned()).collect())
    }

    fn take(&mut self, path: &[String]) {
        if let Some(path) = self.absolute(path) {
            self.house.uses.push((self.module.clone(), path));
        }
    }

    fn take_tree(&mut self, prefix: &[String], tree: &UseTree, is_export: bool) {
        let with = |name: &syn::Ident| prefix.iter().cloned().chain([name.to_string()]).collect::<Vec<_>>();
        match tree {
            UseTree::Path(path) => self.take_tree(&with(&path.ident), &path.tree, is_export),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.take_tree(prefix, tree, is_export)),
            UseTree::Glob(_) => self.take(prefix),
            UseTree::Name(name) if name.ident == "self" => self.take(prefix),
            UseTree::Name(name) => self.take_name(with(&name.ident), name.ident.to_string(), is_export),
            UseTree::Rename(rename) => self.take_name(with(&rename.ident), rename.rename.to_string(), is_export),
        }
    }

    /// A name that is handed on is no use of it: who asks for it is led to where it is written.
    fn take_name(&mut self, path: Vec<String>, name: String, is_export: bool) {
        match self.absolute(&path) {
            Some(origin) if is_export => {
                self.house.exports.insert((self.module.clone(), name), origin);
            }
            Some(_) => self.take(&path),
            None => {}
        }
    }
}

impl<'ast> Visit<'ast> for Names<'_> {
    fn visit_file(&mut self, file: &'ast syn::File) {
        for item in &file.items {
            if let syn::Item::Mod(ItemMod { ident, content: None, .. }) = item {
                self.children.push(ident.to_string());
            }
        }
        syn::visit::visit_file(self, file);
    }

    /// Tests inside a file may name whatever they like.
    fn visit_item_mod(&mut self, item: &'ast ItemMod) {
        if item.content.is_some() && item.ident != "tests" {
            syn::visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.take_tree(&[], &item.tree, !matches!(item.vis, Visibility::Inherited));
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names: Vec<_> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if names.len() > 1 {
            self.take(&names);
        }
        syn::visit::visit_path(self, path);
    }
}

/// A circle of a graph, if it has one.
fn circle<T: Ord + Clone>(arrows: &BTreeMap<T, BTreeSet<T>>) -> Option<Vec<T>> {
    fn walk<T: Ord + Clone>(
        at: &T,
        arrows: &BTreeMap<T, BTreeSet<T>>,
        way: &mut Vec<T>,
        done: &mut BTreeSet<T>,
    ) -> Option<Vec<T>> {
        if let Some(first) = way.iter().position(|before| before == at) {
            return Some(way[first..].to_vec());
        }
        if done.contains(at) {
            return None;
        }
        way.push(at.clone());
        let found = arrows.get(at).into_iter().flatten().find_map(|next| walk(next, arrows, way, done));
        way.pop();
        done.insert(at.clone());
        found
    }
    let mut done = BTreeSet::new();
    arrows.keys().find_map(|at| walk(at, arrows, &mut Vec::new(), &mut done))
}

/// The arrows between the rooms of each folder: its files and its folders, those below taken together. A folder's own
/// `mod.rs` is the door of the folder and no room.
fn rooms(arrows: &BTreeMap<PathBuf, BTreeSet<PathBuf>>) -> BTreeMap<PathBuf, BTreeSet<PathBuf>> {
    let mut between: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
    for (from, tos) in arrows {
        for to in tos {
            let common: PathBuf =
                from.components().zip(to.components()).take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
            let depth = common.components().count() + 1;
            let room =
                |file: &Path| -> PathBuf { file.components().take(depth).collect::<PathBuf>().with_extension("") };
            let (from, to) = (room(from), room(to));
            let is_door = |room: &Path| ["mod", "lib", "main"].iter().any(|name| room.ends_with(name));
            if from != to && !is_door(&from) && !is_door(&to) {
                between.entry(from).or_default().insert(to);
            }
        }
    }
    between
}

fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates = std::fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path().join("src"));
    let mut all: Vec<PathBuf> = crates.chain([root.join("src"), root.join("python/src")]).collect();
    all.sort();
    assert!(all.len() > 5, "{all:?}");
    all
}

#[test]
fn no_circles_between_files_and_folders() {
    let mut circles = Vec::new();
    for source in sources() {
        let mut arrows = House::read(&source).arrows();
        assert!(arrows.len() > 3 || source.join("lib.rs").exists(), "{}: nothing read", source.display());
        let mut between = rooms(&arrows);
        for graph in [&mut arrows, &mut between] {
            // Every circle is told once, and then opened.
            while let Some(found) = circle(graph) {
                let names: Vec<_> = found.iter().map(|file| file.display().to_string()).collect();
                circles.push(format!("{}: {}", source.display(), names.join(" -> ")));
                graph.get_mut(&found[found.len() - 1]).unwrap().remove(&found[0]);
            }
        }
    }
    assert!(circles.is_empty(), "{} circles:\n{}", circles.len(), circles.join("\n"));
}

/// The test itself sees a circle.
#[test]
fn a_circle_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::create_dir(folder.path().join("b")).unwrap();
    write("lib.rs", "mod a; mod b; pub use b::deep::Thing;");
    write("a.rs", "use crate::Thing; pub fn f(_: Thing) {}");
    write("b/mod.rs", "pub mod deep;");
    write("b/deep.rs", "pub struct Thing; impl Thing { fn g() { super::super::a::f(Thing) } }");
    let arrows = House::read(folder.path()).arrows();
    let names = |found: Option<Vec<PathBuf>>| found.map(|found| found.len());
    assert_eq!(names(circle(&arrows)), Some(2), "{arrows:?}");
    assert_eq!(names(circle(&rooms(&arrows))), Some(2));
    write("b/deep.rs", "pub struct Thing;");
    assert_eq!(circle(&House::read(folder.path()).arrows()), None);
}
