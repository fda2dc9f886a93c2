//! Compares the answer to every question with its description and with the answer of the command.

use boon::{Compiler, Draft, SchemaIndex, Schemas};
use serde_json::{Value as Json, json};

use super::lists::post;
use crate::support::command::{command, good, good_json, piped, tables};
use crate::support::repository::{json_lines, repository_path};
use crate::support::serve::{Server, escaped};

/// The schema of the answers to one kind of request.
pub struct Description {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Description {
    /// Returns what is wrong with an answer; `None` if it is as described.
    pub fn problem(&self, answer: &Json) -> Option<String> {
        self.schemas.validate(answer, self.index).err().map(|error| format!("{error:#}: {answer}"))
    }
}

/// Returns the schema of the answers to `method` requests of a path.
pub fn description(document: &Json, path: &str, method: &str) -> Description {
    let content = &document["paths"][path][method]["responses"]["200"]["content"];
    let schema = &content.as_object().unwrap().values().next().unwrap()["schema"];
    assert!(!schema.is_null(), "{path} is not described");
    let schema = json!({"$ref": schema["$ref"], "components": document["components"]});
    let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
    compiler.set_default_draft(Draft::V2020_12);
    compiler.add_resource("answer.json", schema).unwrap();
    let index = compiler.compile("answer.json", &mut schemas).unwrap();
    Description { schemas, index }
}

#[test]
fn questions_are_answered_as_they_are_described_and_as_the_command_answers() {
    let folder = tables(&["bin3x3", "bin3x3-p", "rev4x4", "pyon3x4"]);
    let proof = folder.path().join("bin4x3.proof");
    std::fs::copy(repository_path("precomp/proofs/bin4x3.proof"), proof).unwrap();
    let server = Server::start(folder.path(), &[]);
    let document = server.good("openapi.json");
    let mut questions = vec![
        "games".to_owned(),
        "rules?rules=bin3x3".into(),
        "rules?rules=val1n".into(),
        "tables".into(),
        "puzzle?rules=bin3x3&plies=5&seed=3".into(),
        "puzzle?rules=rev4x4&margin=2".into(),
        "stats?rules=rev4x4".into(),
        "stats?rules=pyon3x4".into(),
        "counts?rules=bin3x3&by=ply,winner".into(),
        "counts?rules=bin3x3&by=ply,moves".into(),
        "proof?rules=bin4x3".into(),
        "choose?rules=bin3x3&position=startpos&moves=2n&strength=40&seed=7".into(),
        "choose?rules=bin6x6".into(),
    ];
    for (code, position) in [
        ("bin3x3", "startpos"),
        ("bin3x3", "startpos moves 2n 3na"),
        ("bin3x3-kb1.5", "startpos moves 2n 3na 1nH bn bnL cn 2a"),
        ("rev4x4", "startpos"),
        ("pyon3x4", "startpos"),
        ("bin4x3", "startpos"),
        ("val1n", "gle/1c1/1C1/ELG b - 1"),
        ("con7x6", "44444422"),
        ("rev8x8", "startpos"),
    ] {
        let question = format!("rules={code}&position={}", escaped(position));
        questions.push(format!("query?{question}"));
        // The command gives the same answer. Questions that the server alone cannot answer are dropped.
        let (status, told) = server.ask(&format!("query?{question}"));
        match status {
            200 => {
                assert_eq!(told, good_json(folder.path(), &["query", code, position, "--json"]), "{code} {position}");
            }
            404 | 503 => questions.retain(|known| !known.ends_with(&question)),
            _ => panic!("{status}: {told}"),
        }
        if ["bin3x3", "rev4x4", "pyon3x4", "bin4x3"].contains(&code) {
            assert_eq!(status, 200, "{told}");
            questions.push(format!("line?{question}"));
        }
    }
    for question in &questions {
        let path = format!("/api/v1/{}", question.split('?').next().unwrap());
        let told = server.good(question);
        assert_eq!(description(&document, &path, "get").problem(&told), None, "{question}");
    }
    let described = document["paths"].as_object().unwrap().keys().map(|path| path.rsplit('/').next().unwrap());
    // The answers of `prove` are lines and have their own tests.
    for name in described.filter(|name| *name != "prove") {
        assert!(questions.iter().any(|question| question.split('?').next() == Some(name)), "{name} was not asked");
    }
    assert_eq!(
        server.good("counts?rules=bin3x3&by=ply,winner"),
        good_json(folder.path(), &["stats", "bin3x3", "--json", "--by", "ply,winner"])
    );
}

/// Every example in the description gets an answer.
#[test]
fn the_examples_of_the_description_are_answered() {
    let folder = tables(&["bin3x3"]);
    std::fs::copy(repository_path("precomp/proofs/bin3x3.proof"), folder.path().join("bin3x3.proof")).unwrap();
    let server = Server::start(folder.path(), &[]);
    let document = server.good("openapi.json");
    let mut examples = 0;
    for (path, described) in document["paths"].as_object().unwrap() {
        let parameters = described["get"]["parameters"].as_array().unwrap();
        let word = |parameter: &Json| {
            let (name, example) = (parameter["name"].as_str().unwrap(), &parameter["example"]);
            assert!(!(parameter["required"] == true && example.is_null()), "{path}: {name} has no example");
            let text = example.as_str().map_or_else(|| example.to_string(), str::to_owned);
            (!example.is_null()).then(|| format!("{name}={}", escaped(&text)))
        };
        let words: Vec<String> = parameters.iter().filter_map(word).collect();
        examples += words.len();
        let (status, _, body) = server.get(&format!("{path}?{}", words.join("&")));
        assert_eq!(status, 200, "{path}: {}", String::from_utf8_lossy(&body));
    }
    assert!(examples > 10, "{examples}");
    let path = "/api/v1/query";
    let list = &document["paths"][path]["post"]["requestBody"]["content"]["application/json"]["example"];
    let (status, told) = post(&server, list);
    assert_eq!(status, 200, "{told}");
    assert_eq!(description(&document, path, "post").problem(&told), None);
}

/// Asks for a whole proof of a small board node by node. It must have every reply of the loser, and all its games must
/// end with a win.
#[test]
fn a_proof_can_be_opened_move_by_move() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::copy(repository_path("precomp/proofs/bin3x3.proof"), folder.path().join("bin3x3.proof")).unwrap();
    let server = Server::start(folder.path(), &[]);
    let (mut open, mut nodes, mut ends) = (vec!["startpos".to_owned()], 0, 0);
    while let Some(position) = open.pop() {
        let node = server.good(&format!("proof?rules=bin3x3&position={}", escaped(&position)));
        let moves = node["moves"].as_array().unwrap();
        let legal = good_json(folder.path(), &["moves", "bin3x3", &position, "--json"]);
        let legal: Vec<&Json> = legal["moves"].as_array().unwrap().iter().map(|mv| &mv["move"]).collect();
        let listed: Vec<&Json> = moves.iter().map(|mv| &mv["move"]).collect();
        match node["to_move"] == node["winner"] {
            true => assert!(listed.len() == 1 && legal.contains(&listed[0]), "{node}"),
            false => assert_eq!(listed, legal, "{node}"),
        }
        for mv in moves {
            match mv["goes"].as_str().unwrap() {
                "on" => open.push(mv["position"].as_str().unwrap().into()),
                _ => ends += 1,
            }
            assert!(mv["below"].as_u64().unwrap() > 0);
        }
        nodes += 1;
        if nodes > 60 {
            break;
        }
    }
    assert!(nodes > 20 && ends > 0, "{nodes} nodes, {ends} ends");
}

/// Tables lie in two folders, and a certificate of the full board ships with the program. Child processes of the server
/// know all of them, and no answer names a folder.
#[test]
fn all_folders_and_the_certificates_that_ship_are_known() {
    let (one, two, data) = (tables(&["bin3x3"]), tables(&["con3x3-k3"]), tempfile::tempdir().unwrap());
    std::fs::create_dir(data.path().join("proofs")).unwrap();
    let place = data.path().join("proofs/bin7x6.proof");
    std::fs::copy(repository_path("precomp/proofs/bin7x6.proof"), &place).unwrap();
    let folders = [one.path(), two.path()].map(|folder| folder.to_str().unwrap());
    let words = ["serve", "--port", "0", "--tables", folders[0], "--tables", folders[1]];
    let mut start = command(one.path(), &words);
    start.env("YOMIKIRI_DATA", data.path());
    let server = Server::run(start);
    let files: Vec<Json> =
        server.good("tables")["tables"].as_array().unwrap().iter().map(|file| file["file"].clone()).collect();
    assert_eq!(files, ["bin3x3.tbl", "con3x3-k3.tbl", "proofs/bin7x6.proof"]);
    assert_eq!(server.good("query?rules=con3x3-k3&position=startpos")["source"], "table");
    // A child process counts the moves.
    assert_eq!(server.good("counts?rules=con3x3-k3&by=moves")["rules"], "con3x3-k3");
    assert_eq!(server.good("proof?rules=bin7x6&position=startpos")["winner"], "black");
    assert_eq!(server.good("query?rules=bin7x6&position=startpos+moves+dn")["source"], "certificate");
    std::fs::write(two.path().join("rev3x3.tbl"), "no table").unwrap();
    std::fs::write(&place, "no certificate").unwrap();
    for question in ["stats?rules=rev3x3", "proof?rules=bin7x6&position=startpos"] {
        let line = server.refused(question, 500);
        assert!(line.starts_with("rev3x3.tbl: ") || line.starts_with("proofs/bin7x6.proof: "), "{line}");
    }
}

/// A certificate that nobody has checked here is called so by every question that uses it, and by the command.
#[test]
fn an_unchecked_certificate_is_called_so() {
    let folder = tempfile::tempdir().unwrap();
    let (proof, input) = (folder.path().join("bin5x5-s3c.proof"), folder.path().join("input"));
    std::fs::copy(repository_path("precomp/proofs/bin5x5-s3c.proof"), &proof).unwrap();
    std::fs::write(&input, "startpos\n").unwrap();
    let server = Server::start(folder.path(), &[]);
    for trust in ["unchecked", "checked"] {
        for question in ["query?", "line?", "choose?", "choose?strength=60&"] {
            let told = server.good(&format!("{question}rules=bin5x5-s3c"));
            assert!(told["certificate"] == trust, "{question}: {told}");
        }
        let brief = json_lines(&piped(folder.path(), &["query", "bin5x5-s3c", "-", "--brief"], &input));
        assert_eq!(brief[0]["certificate"], trust);
        good(folder.path(), &["check", proof.to_str().unwrap()]);
    }
}
