//! Checks that there are no dependency cycles between the files and folders of a crate. The compiler only refuses
//! cycles between crates. Also checks that one crate alone starts work by rayon.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use syn::visit::Visit;
use syn::{ItemMod, UseTree, Visibility};

/// A module of a crate: its path from the crate root, without the crate's name.
type Module = Vec<String>;

/// The modules of a crate and their dependencies.
#[derive(Default)]
struct ModuleGraph {
    /// The file of each module that has a file, relative to the folder of the crate's sources.
    files: BTreeMap<Module, PathBuf>,
    /// The names that modules re-export from the same crate. The key is the module and the name, the value is the path
    /// of the origin.
    exports: BTreeMap<(Module, String), Module>,
    /// Pairs of a module and a path that its code names. The paths begin at the crate root.
    uses: Vec<(Module, Module)>,
}

impl ModuleGraph {
    /// Reads the sources of a crate in the folder `root`. The root file is `lib.rs` or `main.rs`.
    fn read(root: &Path) -> ModuleGraph {
        let mut graph = ModuleGraph::default();
        let file = ["lib.rs", "main.rs"].into_iter().find(|name| root.join(name).exists()).expect("a root file");
        graph.read_module(root, Vec::new(), PathBuf::from(file));
        graph
    }

    fn read_module(&mut self, root: &Path, module: Module, file: PathBuf) {
        let text = std::fs::read_to_string(root.join(&file)).unwrap();
        let code = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        self.files.insert(module.clone(), file.clone());
        let is_root = module.is_empty() || file.ends_with("mod.rs");
        let folder = if is_root { file.parent().unwrap().to_path_buf() } else { file.with_extension("") };
        let mut names = Names { module: module.clone(), graph: self, children: Vec::new() };
        names.visit_file(&code);
        for child in names.children {
            let own = folder.join(format!("{child}.rs"));
            let file = if root.join(&own).exists() { own } else { folder.join(&child).join("mod.rs") };
            let path = module.iter().cloned().chain([child]).collect();
            self.read_module(root, path, file);
        }
    }

    /// Returns the module that defines the item of a path, or `None` if it is not found.
    fn home(&self, path: &[String]) -> Option<Module> {
        let mut path = path.to_vec();
        // A limit on the number of re-exports makes the loop end.
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

    /// Returns the other files that each file depends on.
    fn dependencies(&self) -> BTreeMap<PathBuf, BTreeSet<PathBuf>> {
        let mut dependencies: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
        for (from, path) in &self.uses {
            let Some(home) = self.home(path) else { continue };
            let (from, to) = (&self.files[from], &self.files[&home]);
            if from != to {
                dependencies.entry(from.clone()).or_default().insert(to.clone());
            }
        }
        dependencies
    }
}

/// Collects the paths that the code of a module names.
struct Names<'a> {
    module: Module,
    graph: &'a mut ModuleGraph,
    children: Vec<String>,
}

impl Names<'_> {
    /// Returns a path of this module as a path from the crate root, or `None` if it leads out of the crate.
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
            self.graph.uses.push((self.module.clone(), path));
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

    /// Records a name in a `use`. A re-export is not a dependency of this module: a module that uses it depends on its
    /// origin.
    fn take_name(&mut self, path: Vec<String>, name: String, is_export: bool) {
        match self.absolute(&path) {
            Some(origin) if is_export => {
                self.graph.exports.insert((self.module.clone(), name), origin);
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

    /// Skips the tests in a file, which may use any other file.
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

/// Returns the nodes of a cycle of a graph, or `None` if there is none.
fn cycle<T: Ord + Clone>(dependencies: &BTreeMap<T, BTreeSet<T>>) -> Option<Vec<T>> {
    fn walk<T: Ord + Clone>(
        at: &T,
        dependencies: &BTreeMap<T, BTreeSet<T>>,
        path: &mut Vec<T>,
        done: &mut BTreeSet<T>,
    ) -> Option<Vec<T>> {
        if let Some(first) = path.iter().position(|before| before == at) {
            return Some(path[first..].to_vec());
        }
        if done.contains(at) {
            return None;
        }
        path.push(at.clone());
        let found = dependencies.get(at).into_iter().flatten().find_map(|next| walk(next, dependencies, path, done));
        path.pop();
        done.insert(at.clone());
        found
    }
    let mut done = BTreeSet::new();
    dependencies.keys().find_map(|at| walk(at, dependencies, &mut Vec::new(), &mut done))
}

/// Returns the dependencies between files and folders that are in the same folder. A folder has the dependencies of all
/// files in it. Files `mod.rs` and root files of a crate do not count.
fn folder_dependencies(dependencies: &BTreeMap<PathBuf, BTreeSet<PathBuf>>) -> BTreeMap<PathBuf, BTreeSet<PathBuf>> {
    let mut between: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
    for (from, tos) in dependencies {
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
    let mut all: Vec<PathBuf> = crates.chain([root.join("python/src")]).collect();
    all.sort();
    assert!(all.len() > 5, "{all:?}");
    all
}

#[test]
fn no_circles_between_files_and_folders() {
    let mut circles = Vec::new();
    for source in sources() {
        let mut dependencies = ModuleGraph::read(&source).dependencies();
        assert!(dependencies.len() > 3 || source.join("lib.rs").exists(), "{}: nothing read", source.display());
        let mut between = folder_dependencies(&dependencies);
        for graph in [&mut dependencies, &mut between] {
            // Reports each cycle once, then breaks it.
            while let Some(found) = cycle(graph) {
                let names: Vec<_> = found.iter().map(|file| file.display().to_string()).collect();
                circles.push(format!("{}: {}", source.display(), names.join(" -> ")));
                graph.get_mut(&found[found.len() - 1]).unwrap().remove(&found[0]);
            }
        }
    }
    assert!(circles.is_empty(), "{} circles:\n{}", circles.len(), circles.join("\n"));
}

/// Other crates call `yomikiri_table::parallel`, so that rayon's loops are not compiled for each of their closures.
#[test]
fn one_crate_names_rayon() {
    let manifests = sources().into_iter().map(|source| source.with_file_name("Cargo.toml"));
    let names_rayon = |path: &PathBuf| std::fs::read_to_string(path).unwrap().contains("\nrayon");
    let found: Vec<PathBuf> = manifests.filter(names_rayon).collect();
    assert_eq!(found, [Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/table/Cargo.toml")]);
}

/// Checks that the functions of this file find a cycle.
#[test]
fn a_circle_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::create_dir(folder.path().join("b")).unwrap();
    write("lib.rs", "mod a; mod b; pub use b::deep::Thing;");
    write("a.rs", "use crate::Thing; pub fn f(_: Thing) {}");
    write("b/mod.rs", "pub mod deep;");
    write("b/deep.rs", "pub struct Thing; impl Thing { fn g() { super::super::a::f(Thing) } }");
    let dependencies = ModuleGraph::read(folder.path()).dependencies();
    let names = |found: Option<Vec<PathBuf>>| found.map(|found| found.len());
    assert_eq!(names(cycle(&dependencies)), Some(2), "{dependencies:?}");
    assert_eq!(names(cycle(&folder_dependencies(&dependencies))), Some(2));
    write("b/deep.rs", "pub struct Thing;");
    assert_eq!(cycle(&ModuleGraph::read(folder.path()).dependencies()), None);
}
