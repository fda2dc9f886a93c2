//! Tests of tables at an address. Commands give the same answers as with tables in a folder, or say what is wrong.

use std::path::Path;
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;
use yomikiri_remote::Patience;
use yomikiri_rules::games::binarsi::Binarsi;
use yomikiri_rules::{Game, Notation};
use yomikiri_table::{TableError, name, probe};

use crate::both_places::{OPENING, published, without_times};
use crate::server::{Behaviour, CERTIFICATE, RequestCounts, Server};
use crate::support::command::{command, fails, good, good_json, piped, refused, run, tables};
use crate::support::random::Random;

/// Runs the command with tables at an address.
fn asked_of(address: &str, args: &[&str]) -> Output {
    run(Path::new(address), args)
}

fn answers(address: &str, args: &[&str]) -> String {
    let output = asked_of(address, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Returns a list of files without the folder of each file.
fn without_folder(list: &str) -> String {
    let without = |line: &str| match line.strip_prefix("{\"folder\":\"").and_then(|rest| rest.split_once("\",")) {
        Some((_, rest)) => format!("{{{rest}\n"),
        None => format!("{line}\n"),
    };
    list.lines().map(without).collect()
}

/// Returns the error line of a run that has to fail with status 1.
fn failure(address: &str, args: &[&str]) -> String {
    refused(&asked_of(address, args), 1, args)
}

/// Cuts a table into pieces of `length` bytes, as cluster runs write large tables.
fn cut(table: &Path, length: usize) {
    let bytes = std::fs::read(table).unwrap();
    for (number, piece) in bytes.chunks(length).enumerate() {
        std::fs::write(table.with_added_extension(format!("{number:04}")), piece).unwrap();
    }
    std::fs::remove_file(table).unwrap();
}

/// Every command reads tables in pieces, in a folder and at an address.
#[test]
fn tables_in_pieces_answer_as_whole_ones() {
    let (whole, folder) = (tables(&["rev4x5-p", "bin3x3"]), tables(&["rev4x5-p", "bin3x3"]));
    let place = folder.path().join("rev4x5-p.tbl");
    cut(&place, 300_001);
    // These pieces are shorter than a header.
    cut(&folder.path().join("bin3x3.tbl"), 100);
    let at = |number: usize| folder.path().join(format!("rev4x5-p.tbl.{number:04}"));
    assert!(at(5).exists());
    let list: serde_json::Value = serde_json::from_str(&{
        good(folder.path(), &["tables", "manifest"]);
        std::fs::read_to_string(folder.path().join("manifest.json")).unwrap()
    })
    .unwrap();
    let listed = list["files"].as_array().unwrap().iter().find(|file| file["file"] == "rev4x5-p.tbl").unwrap();
    let sum = |path: &Path| {
        let output = Command::new("sha256sum").arg(path).output().unwrap();
        String::from_utf8(output.stdout).unwrap().split_whitespace().next().unwrap().to_string()
    };
    assert_eq!(listed["sha256"], sum(&whole.path().join("rev4x5-p.tbl")));
    assert_eq!(listed["pieces"][1], json!({"file": "rev4x5-p.tbl.0001", "bytes": 300_001, "sha256": sum(&at(1))}));

    let server = Server::start(folder.path());
    for args in [
        &["query", "rev4x5-p"][..],
        &["line", "rev4x5-p"],
        &["stats", "rev4x5-p", "--json"],
        &["query", "bin3x3", "--json"],
        &["stats", "bin3x3", "--longest", "3"],
        &["tables", "--json"],
        &["tables", "check"],
        &["tables", "check", "bin3x3.tbl"],
        &["match", "bin3x3", "table", "random", "--games", "4", "--json"],
    ] {
        let comparable = |report: &str| without_folder(&without_times(report));
        let of_whole = comparable(&good(whole.path(), args));
        assert_eq!(comparable(&good(folder.path(), args)), of_whole, "{args:?}");
        assert_eq!(comparable(&answers(&server.address, args)), of_whole, "{args:?}, at an address");
    }

    assert!(good(folder.path(), &["verify", "bin3x3"]).contains("bin3x3.tbl: correct"));

    // A later piece is damaged, has another length, or is missing.
    let check = ["tables", "check", "rev4x5-p.tbl"];
    let piece = std::fs::read(at(3)).unwrap();
    let mut damaged = piece.clone();
    damaged[1000] ^= 1;
    std::fs::write(at(3), &damaged).unwrap();
    assert!(failure(&server.address, &check).contains("damaged"));
    assert!(refused(&run(folder.path(), &check), 1, check).contains("damaged"));
    std::fs::write(at(3), &piece[1..]).unwrap();
    assert!(failure(&server.address, &check).contains("differs from the file in the manifest"));
    refused(&run(folder.path(), &check), 1, check);
    std::fs::remove_file(at(3)).unwrap();
    assert!(failure(&server.address, &check).contains("not found (404)"));
    refused(&run(folder.path(), &check), 1, check);
    std::fs::write(at(3), &piece).unwrap();
    good(folder.path(), &check);

    // In this manifest the lengths of the pieces do not add up to the length of the table.
    let path = folder.path().join("manifest.json");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("\"bytes\": 300001", "\"bytes\": 300002")).unwrap();
    let line = failure(&server.address, &["query", "bin3x3"]);
    assert!(
        line.ends_with("lists pieces of \"rev4x5-p.tbl\" whose lengths do not add up to that of the table\n"),
        "{line}"
    );

    assert_eq!(good(folder.path(), &["tables", "delete", "rev4x5-p.tbl"]), "rev4x5-p.tbl: deleted\n");
    assert!((0..20).all(|number| !at(number).exists()));
}

#[test]
fn batches_and_engines_answer_from_an_address_as_from_the_folder() {
    let folder = published();
    let server = Server::start(folder.path());
    let keys = folder.path().join("keys");
    for code in ["bin3x3", "pyon2x3", "rev3x4"] {
        let sample = good_json(folder.path(), &["stats", code, "--json"])["positions"].as_u64().unwrap();
        let mut random = Random::new(7);
        let lines: String = (0..300).map(|_| format!("@{}\n", random.below(4 * sample as usize))).collect();
        std::fs::write(&keys, lines).unwrap();
        for detail in [&["query", code, "-"][..], &["query", code, "-", "--brief"]] {
            let here = piped(folder.path(), detail, &keys);
            assert_eq!(piped(Path::new(&server.address), detail, &keys), here);
            assert_eq!(here.lines().count(), 300);
        }
    }
    let script = folder.path().join("script");
    let tables = format!("setoption name Tables value {}\n", server.address);
    std::fs::write(&script, "position startpos\ngo\nquit\n").unwrap();
    let here = piped(folder.path(), &["usi", "bin3x3"], &script);
    assert!(here.contains("table"), "{here}");
    assert_eq!(piped(Path::new(&server.address), &["usi", "bin3x3"], &script), here);
    std::fs::write(&script, format!("{tables}position startpos\ngo\nquit\n")).unwrap();
    let nowhere = tempfile::tempdir().unwrap();
    let told = piped(nowhere.path(), &["usi", "bin3x3"], &script);
    assert!(told.contains("table"), "{told}");
}

#[test]
fn certificates_at_an_address_tell_who_wins() {
    let folder = tempfile::tempdir().unwrap();
    let proofs = folder.path().join("proofs");
    std::fs::create_dir(&proofs).unwrap();
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("precomp/proofs/bin5x5-s3c.proof");
    std::fs::copy(recorded, proofs.join("bin5x5-s3c.proof")).unwrap();
    good(folder.path(), &["tables", "manifest"]);
    let server = Server::start(folder.path());
    let args = ["query", "bin5x5-s3c", "--memory", "64M", "--json"];
    let told = answers(&server.address, &args);
    assert_eq!(told, good(folder.path(), &args));
    assert!(told.contains("unchecked"), "{told}");
    let text = answers(&server.address, &args[..4]);
    let advice = "/proofs/bin5x5-s3c.proof and check it with: yomikiri check bin5x5-s3c.proof).";
    assert!(text.contains(" wins, by an unchecked certificate (download ") && text.contains(advice), "{text}");
}

/// The address has a port. So it contains a colon, which also separates the places of the list.
#[test]
fn folders_and_addresses_are_asked_in_order() {
    let (far, near) = (tables(&["bin3x3", "m00c1"]), tables(&["bin2x2", "m00c1"]));
    good(far.path(), &["tables", "manifest"]);
    let server = Server::start(far.path());
    let list = format!("{}:{}", near.path().display(), server.address);
    let both = |args: &[&str]| good(Path::new(&list), args);
    for (code, place) in [("bin2x2", near.path()), ("bin3x3", far.path()), ("m00c1", near.path())] {
        let stats = ["stats", code, "--json"];
        assert_eq!(both(&stats), good(place, &stats), "{code}");
    }
    assert!(both(&["verify", "bin3x3"]).starts_with(&format!("{}/bin3x3.tbl: correct", server.address)));
    assert!(both(&["verify", "m00c1"]).starts_with(&format!("{}/m00c1.tbl: correct", near.path().display())));
    let headings = [format!("{}: 2 files", near.path().display()), format!("{}: 2 files", server.address)];
    let listed = both(&["tables"]);
    assert!(headings.iter().all(|heading| listed.lines().any(|line| line == heading)), "{listed}");
    assert_eq!(both(&["tables", "check", "bin3x3.tbl"]), "bin3x3.tbl: sound\n");
    // A file on this machine is not taken for one at the address.
    let local = near.path().join("bin2x2.tbl");
    let check = ["tables", "check", local.to_str().unwrap()];
    assert_eq!(both(&check), format!("{}: sound\n", local.display()));
    let line = refused(&asked_of(&server.address, &check), 1, check);
    assert!(line.ends_with(": the manifest does not list it\n"), "{line}");
    // New tables are written to the folder.
    both(&["analyze", "rev3x3"]);
    assert!(near.path().join("rev3x3.tbl").exists());
    // If the address comes first, its tables take precedence, and no table can be written.
    let near = near.path().to_str().unwrap();
    let options = ["--tables", &server.address, "--tables", near];
    let with = |args: &[&str]| good(far.path(), &[args, &options].concat());
    assert!(with(&["verify", "m00c1"]).starts_with(&server.address));
    assert!(with(&["verify", "bin2x2"]).starts_with(near));
    let analyze = [&["analyze", "con3x3-k3"][..], &options].concat();
    let line = refused(&run(far.path(), &analyze), 2, &analyze);
    assert!(line.contains(": is an address; its files can be read but not written"), "{line}");
    let missed = [&["stats", "con3x3-k3"][..], &options].concat();
    let line = refused(&run(far.path(), &missed), 1, &missed);
    assert_eq!(line, format!("error: {}/con3x3-k3.tbl or {near}/con3x3-k3.tbl: does not exist\n", server.address));
}

#[test]
fn bad_addresses_and_servers_are_told_in_one_line() {
    let folder = published();
    let server = Server::start(folder.path());
    let query = ["query", "bin3x3"];
    let of = |address: &str| failure(address, &query);
    assert_eq!(
        of("gopher://host/tables"),
        "error: gopher://host/tables: addresses begin with https://, http://, s3://, gs:// or az://\n"
    );
    // Output goes to this machine, and a message does not show secrets.
    let out = "http://me:secret@host/x";
    for args in [
        &["opening", "bin3x3", "--plies", "1", "--out", out][..],
        &["prove", "bin3x3", "--certificate", out],
        &["plot", "bin3x3", "--to", out],
        &["match", "bin3x3", "random", "random", "--games", "2", "--records", out],
        &["site", "bin3x3", "--into", out],
        &["survey", "bin3x3", "--out", out],
        &["usi", "bin3x3", "--install", out],
        &["solve", "con4x4", "--checkpoint", out],
        &["prove", "bin5x4", "--checkpoint", out],
        &["man", "--out", out],
        &["survey", "--upgrade", out],
    ] {
        let line = fails(folder.path(), args, 2);
        let problem = "http://***@host/x: is an address; output goes to files of this machine";
        assert!(line.contains(problem) && !line.contains("secret"), "{args:?}: {line}");
    }
    for args in [
        &["check", out][..],
        &["prove", "bin5x4", "--from", out],
        &["solve", "con4x4", "--file", out],
        &["play", "bin3x3", "--load", out],
        &["match", "bin3x3", "random", "random", "--games", "2", "--openings", out],
        &["survey", "--show", out],
    ] {
        let problem = "http://***@host/x: is an address, but a file of this machine is needed; download it first";
        assert_eq!(fails(folder.path(), args, 1), format!("error: {problem}\n"), "{args:?}");
    }
    let line = fails(folder.path(), &["tables", "check", out], 2);
    assert!(
        line.starts_with("error: http://***@host/x: is an address; give the address of the folder with --tables"),
        "{line}"
    );
    assert!(!folder.path().join("http:").exists());
    for (address, shown) in [
        ("http://me:secret@127.0.0.1/", "http://***@127.0.0.1"),
        ("http://127.0.0.1/a?token=secret", "http://127.0.0.1/a?***"),
    ] {
        let problem = "an address must not contain a user, password, query or fragment";
        assert_eq!(of(address), format!("error: {shown}: {problem}\n"));
    }
    assert!(of("http://127.0.0.1:9").starts_with("error: http://127.0.0.1:9/manifest.json: "));
    assert!(of("http://no.such.host.invalid/").starts_with("error: http://no.such.host.invalid/manifest.json: "));
    let below = format!("{}/nowhere", server.address);
    assert_eq!(
        of(&below),
        format!(
            "error: {below}/manifest.json: not found; run `yomikiri tables manifest` on the folder before publishing it\n"
        )
    );
    let missing = failure(&server.address, &["stats", "bin2x2"]);
    assert_eq!(missing, format!("error: {}/bin2x2.tbl: not found: the manifest does not list it\n", server.address));
    let table = format!("{}/bin3x3.tbl", server.address);
    let told = [
        (Behaviour::WholeFiles, "ignores range requests and sends whole files"),
        (Behaviour::Damage, "damaged: "),
        (Behaviour::HalfAnswers, ""),
        (Behaviour::Fails(404), "not found (404)"),
        (Behaviour::Fails(403), "the server denies access (403)"),
        (Behaviour::Fails(401), "the server requires authentication (401)"),
        (Behaviour::Fails(500), "500"),
    ];
    for (manners, words) in told {
        server.behave(manners);
        let line = of(&server.address);
        println!("{manners:?}: {line}");
        assert!(line.starts_with(&format!("error: {table}: ")) && line.contains(words), "{manners:?}: {line}");
    }
    server.behave(Behaviour::FailsNowAndThen);
    assert_eq!(answers(&server.address, &query), good(folder.path(), &query));
}

#[test]
fn lists_that_make_no_sense_are_refused() {
    let folder = published();
    let list = folder.path().join("manifest.json");
    let server = Server::start(folder.path());
    for (text, words) in [("", "is not a valid manifest"), ("{\"manifest\":2,\"files\":[]}", "has version 2")] {
        std::fs::write(&list, text).unwrap();
        let line = failure(&server.address, &["query", "bin3x3"]);
        assert!(line.starts_with(&format!("error: {}/manifest.json: {words}", server.address)), "{line}");
    }
    let listed = json!({
        "file": "\u{1b}[31m.tbl", "rules": "bin2x2", "bytes": u64::MAX, "format": 2, "positions": u64::MAX,
        "header_hash": "", "checked": true, "sha256": "",
    });
    std::fs::write(&list, json!({"manifest": 1, "files": [listed]}).to_string()).unwrap();
    let told = answers(&server.address, &["tables"]);
    assert!(told.starts_with(&format!("{}: 1 file\n\\u{{1b}}[31m.tbl ", server.address)), "{told}");
    let line = failure(&server.address, &["tables", "check"]);
    assert!(line.contains("not found (404)"), "{line}");
}

/// A file that is not the one in the manifest is refused, even if it changes while it is read.
#[test]
fn files_that_change_are_refused() {
    let (folder, other) = (published(), tables(&["bin3x3-s2b"]));
    let server = Server::start(folder.path());
    let place = folder.path().join("rev3x4.tbl");
    let location = yomikiri_remote::location(&server.address, &Patience::default()).unwrap();
    let table = location.open(&location.path().join("rev3x4.tbl")).unwrap();
    let before = std::fs::read(&place).unwrap();
    assert_eq!(*table.read_at(0..table.length()).unwrap(), before[..]);
    drop((location, table));

    // The table is replaced by a file of another length, and by one of the same length with another header.
    let mut forged = before.clone();
    forged[88] ^= 1;
    let hash = xxh3_64(&forged[..128]);
    forged[128..136].copy_from_slice(&hash.to_le_bytes());
    for bytes in [std::fs::read(other.path().join("bin3x3-s2b.tbl")).unwrap(), forged] {
        let location = yomikiri_remote::location(&server.address, &Patience::default()).unwrap();
        std::fs::write(&place, &bytes).unwrap();
        let error = location.open(&location.path().join("rev3x4.tbl")).map(drop).unwrap_err().to_string();
        assert!(error.contains("differs from the file in the manifest"), "{error}");
        let line = failure(&server.address, &["query", "rev3x4"]);
        assert!(line.starts_with(&format!("error: {}/rev3x4.tbl: ", server.address)), "{line}");
        std::fs::write(&place, &before).unwrap();
    }

    // The manifest has wrong data about the same file.
    let list = folder.path().join("manifest.json");
    let text = std::fs::read_to_string(&list).unwrap();
    for (field, value) in [("positions", json!(1)), ("format", json!(3))] {
        let mut forged: serde_json::Value = serde_json::from_str(&text).unwrap();
        forged["files"].as_array_mut().unwrap().iter_mut().for_each(|file| file[field] = value.clone());
        std::fs::write(&list, forged.to_string()).unwrap();
        let line = failure(&server.address, &["query", "rev3x4"]);
        assert!(line.contains("differs from the file in the manifest"), "{field}: {line}");
    }
    std::fs::write(&list, text).unwrap();

    // A file with the same contents and another `ETag` is the same file.
    let long = large_table();
    let server = Server::start(long.path());
    let location = yomikiri_remote::location(&server.address, &Patience::default()).unwrap();
    let (path, file) = (location.path().join("rev4x5-p.tbl"), long.path().join("rev4x5-p.tbl"));
    let bytes = std::fs::read(&file).unwrap();
    let table = location.open(&path).unwrap();
    std::fs::write(&file, &bytes).unwrap();
    let middle = 400_000..400_100;
    assert_eq!(*table.read_at(middle.clone()).unwrap(), bytes[400_000..400_100]);
    let mut changed = bytes.clone();
    changed[8..].reverse();
    std::fs::write(&file, &changed).unwrap();
    let error = table.read_at(800_000..800_100).unwrap_err().to_string();
    assert!(error.contains("differs from the file in the manifest"), "{error}");
    // Bytes that were read before are kept.
    assert_eq!(*table.read_at(middle).unwrap(), bytes[400_000..400_100]);
}

/// Returns a folder with a table of a few megabytes and its manifest.
fn large_table() -> TempDir {
    let folder = tables(&["rev4x5-p"]);
    good(folder.path(), &["tables", "manifest"]);
    folder
}

#[test]
fn nobody_is_waited_for_without_end() {
    let folder = published();
    let server = Server::start(folder.path());
    let soon = Duration::from_millis(300);
    let patience = Patience { connect: soon, read: soon, retries: 1, ..Patience::default() };
    let location = yomikiri_remote::location(&server.address, &patience).unwrap();
    server.behave(Behaviour::Silence);
    let begun = Instant::now();
    let error = location.open(&location.path().join("bin3x3.tbl")).map(drop).unwrap_err();
    assert!(matches!(error, TableError::Io { .. }) && !error.is_waiting(), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(60), "{:?}", begun.elapsed());
}

/// Look-ups need few requests and few bytes, and do not fetch the same bytes twice.
#[test]
fn look_ups_read_little() {
    let folder = large_table();
    let server = Server::start(folder.path());
    let length = folder.path().join("rev4x5-p.tbl").metadata().unwrap().len();
    assert!(length > 2 << 20, "{length}");
    let query = ["query", "rev4x5-p"];
    answers(&server.address, &query);
    let cold = server.asked();
    assert!(cold.requests <= 8 && cold.bytes < length / 4, "{cold:?}");

    let input = folder.path().join("lines");
    std::fs::write(&input, "startpos\n".repeat(100)).unwrap();
    piped(Path::new(&server.address), &["query", "rev4x5-p", "-"], &input);
    let many = server.asked();
    assert!(many.requests <= cold.requests && many.bytes <= cold.bytes, "{many:?}, once {cold:?}");

    // A check reads the whole file in few requests, and hardly any byte twice.
    answers(&server.address, &["tables", "check", "rev4x5-p.tbl"]);
    let whole = server.asked();
    assert!(whole.requests < 60 && whole.bytes < length + length / 8, "{whole:?} of {length}");

    // Sixteen threads that read the same block make no more requests than one thread.
    let game = yomikiri_rules::games::reversi::Reversi::parse("rev4x5-p").unwrap();
    let location = yomikiri_remote::location(&server.address, &Patience::default()).unwrap();
    let table = probe::open_at(&game, &location, &name::whole(location.path(), &game.code())).unwrap();
    server.asked();
    std::thread::scope(|scope| {
        for _ in 0..16 {
            scope.spawn(|| table.block(table.blocks() / 2).unwrap());
        }
    });
    let RequestCounts { requests, .. } = server.asked();
    assert!(requests <= 2, "{requests} requests");
}

#[test]
fn https_is_spoken_with_who_has_a_certificate() {
    let folder = published();
    let server = Server::start_tls(folder.path());
    let query = ["query", "bin3x3"];
    let trusting = command(Path::new(&server.address), &query).env("SSL_CERT_FILE", CERTIFICATE).output().unwrap();
    assert!(trusting.status.success(), "{}", String::from_utf8_lossy(&trusting.stderr));
    assert_eq!(String::from_utf8(trusting.stdout).unwrap(), good(folder.path(), &query));
    let line = failure(&server.address, &query);
    assert!(line.contains("certificate"), "{line}");
}

#[test]
fn buckets_are_read_by_their_own_protocol() {
    let folder = tempfile::tempdir().unwrap();
    let below = folder.path().join("bucket/solved");
    std::fs::create_dir_all(&below).unwrap();
    good(&below, &["analyze", "bin3x2"]);
    good(&below, &["tables", "manifest"]);
    let server = Server::start(folder.path());
    let query = ["query", "bin3x2"];
    let mut asked = command(Path::new("s3://bucket/solved"), &query);
    asked.env("AWS_ENDPOINT", &server.address).env("AWS_ALLOW_HTTP", "true").env("AWS_SKIP_SIGNATURE", "true");
    let output = asked.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), good(&below, &query));
    assert!(server.asked().requests >= 2);
}

/// An opening at an address answers questions, and `tables check` checks it there.
#[test]
fn an_opening_at_an_address_says_who_wins() {
    let folder = published();
    let server = Server::start(folder.path());
    let query = ["query", "bin4x4", "startpos moves 1n", "--memory", "1M", "--json"];
    let answer = answers(&server.address, &query);
    assert_eq!(answer, good(folder.path(), &query));
    let answer: serde_json::Value = serde_json::from_str(&answer).unwrap();
    assert_eq!((&answer["source"], &answer["certificate"]), (&"opening".into(), &"checked".into()), "{answer}");
    assert!(answer["moves"].as_array().unwrap().iter().all(|mv| !mv["outcome"].is_null()), "{answer}");
    assert_eq!(answers(&server.address, &["tables", "check", OPENING]), format!("{OPENING}: sound\n"));
    let listed = answers(&server.address, &["tables"]);
    assert!(listed.lines().any(|line| line.contains(OPENING) && line.contains(" opening ")), "{listed}");
}

/// The manifest agrees with the names, lengths and hashes of the files.
#[test]
fn the_manifest_tells_what_the_files_are() {
    let folder = published();
    let list = std::fs::read(folder.path().join("manifest.json")).unwrap();
    let list: serde_json::Value = serde_json::from_slice(&list).unwrap();
    let names: Vec<_> = list["files"].as_array().unwrap().iter().map(|file| file["file"].as_str().unwrap()).collect();
    let game = Binarsi::parse("bin3x3").unwrap();
    let below = game.parse_position("startpos moves 2n").unwrap();
    let below = format!("bin3x3@{:016x}.tbl", game.rank(&below));
    let mut expected = vec!["bin2x5.proof", "bin3x3.proof", "bin3x3.tbl", &below, OPENING];
    expected.extend(["con3x4-k3.tbl", "m00c1.tbl", "pyon2x3.tbl", "rev3x4.tbl"]);
    let mut sorted = names.clone();
    sorted.sort_unstable();
    expected.sort_unstable();
    assert_eq!(sorted, expected);
    for file in list["files"].as_array().unwrap() {
        let name = file["file"].as_str().unwrap();
        let sums = std::process::Command::new("sha256sum").arg(folder.path().join(name)).output().unwrap();
        let sum = String::from_utf8(sums.stdout).unwrap();
        assert_eq!(sum.split(' ').next(), file["sha256"].as_str(), "{name}");
        assert_eq!(file["checked"], true, "{name}");
        let bytes = std::fs::read(folder.path().join(name)).unwrap();
        assert_eq!(file["bytes"].as_u64(), Some(bytes.len() as u64), "{name}");
        let hash = u64::from_le_bytes(bytes[128..136].try_into().unwrap());
        assert_eq!(file["header_hash"], format!("{hash:016x}"), "{name}");
    }
}

/// A file whose contents are damaged is not published, and the old manifest stays.
#[test]
fn no_manifest_lists_a_damaged_file() {
    let folder = published();
    let list = || std::fs::read(folder.path().join("manifest.json")).unwrap();
    let (before, changed) = (list(), folder.path().join("rev3x4.tbl"));
    let mut bytes = std::fs::read(&changed).unwrap();
    bytes[200] ^= 1;
    std::fs::write(&changed, bytes).unwrap();
    let line = fails(folder.path(), &["tables", "manifest"], 1);
    assert!(line.contains("rev3x4.tbl: damaged: the block at byte 136 does not match its checksum"), "{line}");
    assert_eq!(list(), before);
    let out = folder.path().join("site");
    let output = run(folder.path(), &["site", "rev3x4", "--into", out.to_str().unwrap()]);
    let line = String::from_utf8(output.stderr).unwrap();
    assert!(line.contains("rev3x4.tbl: damaged: ") || line.contains("without the page"), "{line}");
    assert!(!output.status.success() && !out.join("rev3x4").exists());
}
