"""Collects the licences of everything that is linked into the program or bundled into its page."""
import json
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Names of files with licences or notices.
NAMES = re.compile(r"(un)?licen[cs]e|copying|copyright|notice", re.IGNORECASE)
#: Every crate that offers this licence offers another one too, and that one is taken.
NOT_TAKEN = re.compile(r"\s*GNU (GENERAL|LESSER GENERAL|AFFERO GENERAL) PUBLIC LICENSE")
#: The target of the modules in the page.
WEB = "wasm32-unknown-unknown"


class NoLicence(Exception):
    """A licence text is missing."""


def third_party(version, target, page):
    """Returns a text about all crates that the program for a target contains, and about the crates and npm packages in
    the page, which the folder `page` has."""
    packages = crates("yomikiri", target) | crates("yomikiri-wasm", WEB) | npm(page)
    texts = sorted({text for _, found in packages.values() for text in found})
    number = {text: place for place, text in enumerate(texts, 1)}
    lines = [f"Software of others in yomikiri {version} for {target}", "",
             "Each line has a package of the program or of its page, its licence, and the numbers of its licence",
             "texts, which follow the list. RUST-LIBRARY.html has the licences of Rust's standard library.", ""]
    for (name, release), (licence, found) in sorted(packages.items()):
        numbers = ", ".join(str(number[text]) for text in sorted(found, key=number.get))
        lines.append(f"{name} {release}: {licence} [{numbers}]")
    for text in texts:
        lines += ["", "=" * 80, f"[{number[text]}]", "", text]
    return "\n".join([*lines, ""])


def crates(package, target):
    """The licence and the licence texts of each crate that is linked into a package, by name and version. Macros and
    what only builds need are left out, and so are the crates of this project."""
    told = cargo("tree", "--locked", "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}",
                 "--package", package, "--target", target)
    linked = {(name, version.removeprefix("v")) for name, version in (line.split()[:2] for line in told.splitlines())}
    known = json.loads(cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", target))["packages"]
    found = {}
    for crate in known:
        key = (crate["name"], crate["version"])
        if key in linked and crate["source"] is not None:
            folder = Path(crate["manifest_path"]).parent
            licence = crate["license"] or "see its text"
            found[key] = licence, licence_texts(folder) or standard_texts(*key, crate["license"])
    return found


def npm(page):
    """The npm packages in a page, in the form of `crates`. The build of the page lists them in licenses.json."""
    found = {}
    for package in json.loads((page / "licenses.json").read_text(encoding="utf-8")):
        key, licence, text = (package["name"], package["version"]), package.get("identifier"), package.get("text")
        texts = {tidy(text)} if text else standard_texts(*key, licence)
        found[key] = licence or "see its text", texts
    return found


def licence_texts(folder):
    """The texts of all licence files in a folder and its subfolders."""
    files = sorted(path for path in folder.rglob("*") if NAMES.match(path.name) and path.is_file())
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in files if path.suffix not in (".rs", ".h"))
    return {tidy(text) for text in texts if not NOT_TAKEN.match(text)}


def standard_texts(name, version, licence):
    """The standard texts of one of the licences that an SPDX expression offers, for a package without texts.

    Raises `NoLicence` if the toolchain has no text for any of them."""
    folder = toolchain() / "licenses"
    choices = re.split(r" OR |/", licence or "")
    for choice in sorted(choices, key=lambda choice: choice != "Apache-2.0"):
        files = [folder / f"{part}.txt" for part in re.split(" AND | WITH ", choice)]
        if not re.search(r"GPL|\(|\)", choice) and all(file.is_file() for file in files):
            return {tidy(file.read_text(encoding="utf-8")) for file in files}
    raise NoLicence(f"{name} {version} has no licence text, and {licence or 'no licence'} is not one whose text the "
                    "toolchain has; use another package")


def toolchain():
    """The folder in which the toolchain describes its own licences."""
    sysroot = subprocess.run(["rustc", "--print", "sysroot"], cwd=ROOT, capture_output=True, text=True, check=True)
    folder = Path(sysroot.stdout.strip()) / "share/doc/rust"
    if not (folder / "COPYRIGHT-library.html").is_file():
        raise NoLicence(f"{folder} has no COPYRIGHT-library.html; use a toolchain of rustup")
    return folder


def tidy(text):
    """A text without blanks at the ends of its lines, so that equal licences are equal texts."""
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def cargo(*arguments):
    """Returns the output of cargo."""
    return subprocess.run(["cargo", *arguments], cwd=ROOT, stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
