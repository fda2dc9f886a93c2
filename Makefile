# Yomikiri: `make analyze` solves a game, `make test` checks everything.
RULES ?= bin4x4
TARGET_DIR := $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)

# Targets for exports. All games have gz, parquet, csv, jsonl, keys.gz and vals.gz, as make RULES=bin4x4 gz. Only animal
# shogi has the others, as make RULES=val1n 1.txt.
EXPORTS := gz parquet csv jsonl keys.gz vals.gz 1.txt 2.txt 2_cooked.txt 3.txt unpruned_ai.txt

.PHONY: help analyze build program test test-rust test-crates test-program tested-program test-checked test-wasm \
	test-python test-web test-windows test-arm test-verified check-targets wheel release packages web docs smalldocs \
	site serve lint voice doc oldest fuzz bench sweep weights pictures atlas opening result record check-record \
	record-solve check-solve record-match check-match record-strength record-proof record-proofs check-proof \
	record-opening check-opening verified verified-full clean distclean $(EXPORTS)

analyze build clean distclean record check-record record-solve check-solve record-match check-match record-strength \
record-proof record-proofs check-proof record-opening check-opening $(EXPORTS):
	@$(MAKE) --no-print-directory -C precomp RULES=$(RULES) $@

# What there is to make, and the CPU time of the tests once other people's crates are compiled (docs/perf/house.md).
define HELP
make analyze RULES=bin4x4    solve a game; other rule codes: docs/commands.md
make serve                   the explorer at http://127.0.0.1:8000/
make build                   the whole program: target/release/yomikiri
make test                    39 CPU minutes: all tests, two parts at a time; from a fresh clone 33 min on two cores
  make test-rust               25 CPU min: unit tests of the crates, then the program as it ships
  make test-wasm               20 s: the module of the page, in Node
  make test-web                5 CPU min: the page in Chromium
  make test-python             4 CPU min: the wheel
  make check-targets           45 s: types for macOS and Linux on ARM, and of the Python module for Windows
  make test-arm                2 CPU min: unit tests of games and tables for Linux on ARM, under QEMU
  make test-windows            3 CPU min: the program for Windows, under Wine
  make test-verified           30 s: the checker of certificates that is proved correct, in Coq
make lint                    compiler, Clippy, rustdoc and the words of docs/style.md
make test-checked            the tests of the program with checks in every crate
make bench                   speed, compared with docs/perf/goals.md
make release                 the archive that users download (docs/install.md)
make verified                the proved checker and small certificates (docs/verified.md)
make verified-full           hours: the proved checker and the certificates of larger boards
CONTRIBUTING.md has the others.
endef
help:
	$(info $(HELP))@:

# All tests: the parts below, two at a time (JOBS), each line of output with the name of its part. A part that fails
# does not stop the others. The last lines of each failed part are shown again at the end.
JOBS ?= 2
PARTS = test-crates test-program test-windows test-python test-web test-arm test-wasm check-targets test-verified
test:
	@rm -rf $(LOGS)
	@$(MAKE) --no-print-directory --keep-going --jobs=$(JOBS) TOGETHER=yes $(PARTS) || \
		{ tail --lines=60 $(LOGS)/*.failed; exit 1; }

# As parts of `test`, they wait for what they share, and leave out what cannot be had on this machine.
LOGS = $(TARGET_DIR)/tests
ifdef TOGETHER
PART = scripts/part $(LOGS) $@
WHERE = --where-possible
COMMAND = $(TARGET_DIR)/release/yomikiri
program: web
test-program test-wasm test-web test-windows test-verified: tested-program
wheel: program
test-python: wheel tested-program
endif

# Copies of the explorer for plain web hosts, as make RULES=bin4x4 docs. The target docs writes site/CODE with the whole
# table or the certificate, smalldocs a copy with one side's best play only, site a front page for all copies.
docs smalldocs: web
	@$(MAKE) --no-print-directory -C precomp RULES=$(RULES) $@

site: web
	cargo build --release --locked
	@$(TARGET_DIR)/release/yomikiri site

# The tests of the program, with the release build that users get, and the unit tests of its crates, with checks of
# overflows. Both use the same build of other people's crates.
CHECKED = cargo --config .cargo/checked.toml test --locked --release
test-rust: test-crates test-program
test-crates:
	@$(PART) $(CHECKED) --workspace --exclude yomikiri --exclude yomikiri-python
test-program:
	@$(PART) cargo test --locked --release --no-fail-fast

# What several parts of `test` need.
program:
	@$(PART) cargo build --locked --release
tested-program: program
	@$(PART) cargo test --locked --release --no-run

# The tests of the program once more, with checks of overflows and assertions in every crate. Slow.
test-checked:
	$(CHECKED) --no-fail-fast; status=$$?; cargo build --locked --release; exit $$status

# Warnings of the compiler, Clippy and rustdoc, by the lints of Cargo.toml.
lint: doc voice
	cargo clippy --locked --workspace --all-targets -- --deny warnings
	cargo clippy --locked --no-default-features -- --deny warnings
	cargo clippy --locked --package yomikiri-wasm -- --deny warnings
	cargo clippy --locked --package yomikiri-wasm --no-default-features -- --deny warnings

# Compiles everything, tests too, with the oldest Rust that Cargo.toml names. Needs rustup, which installs it.
OLDEST = $(shell sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
oldest:
	rustup toolchain install $(OLDEST) --profile minimal --no-self-update
	cargo +$(OLDEST) check --locked --workspace --all-targets --target-dir $(TARGET_DIR)/oldest

# Phrases in comments and documents that docs/style.md rules out.
voice:
	@scripts/voice

# The documentation of the crates.
doc:
	RUSTDOCFLAGS="--deny warnings" cargo doc --locked --workspace --no-deps

# Compares the WebAssembly module, in Node, with the command.
test-wasm:
	@$(PART) scripts/test-wasm $(COMMAND)

# The Python package (docs/python.md) as a wheel in target/wheels, and its tests, which compare it with the command.
wheel:
	@$(PART) scripts/wheel

test-python: wheel
	@$(PART) scripts/test-python

# The program for Windows under Wine (docs/windows.md). Installs what it needs if it may.
test-windows:
	@$(PART) scripts/test-windows $(WHERE)

# The unit tests of games and tables for Linux on ARM, under QEMU. Installs what it needs if it may.
test-arm:
	@$(PART) scripts/test-arm $(WHERE)

# The checker of certificates that is proved correct (docs/verified.md). Installs what it needs if it may.
test-verified:
	@$(PART) scripts/test-verified $(WHERE)

# Checks the types of the program for macOS and for Linux on ARM, and those of the Python module for Windows.
check-targets:
	@$(PART) scripts/check-targets $(WHERE)

# The archive that users download, with its checksum, in target/dist (docs/install.md). ARGS are arguments of
# scripts/release, as ARGS=aarch64-unknown-linux-gnu.
release:
	@scripts/release $(ARGS)

# The packages for crates.io, each built from itself alone, in target/packages (docs/install.md).
packages: web
	@scripts/package $(ARGS)

# The checker of Binarsi certificates that is proved correct (docs/verified.md): the proofs, and all certificates of
# boards of up to 20 squares; verified-full checks those of larger boards. Needs Coq and OCaml; without them both print
# one line and do nothing.
verified verified-full:
	@$(MAKE) --no-print-directory -C verified all $(if $(filter verified-full,$@),full,small)

# Builds the page into web/dist, from where the program includes it.
web:
	@$(PART) scripts/build-web

# Tests the page and its server in headless Chromium.
test-web:
	@$(PART) scripts/test-web $(COMMAND)

# Builds page and program, and serves the explorer at http://127.0.0.1:8000/. ARGS are more arguments of `serve`, as
# ARGS="--port 8001".
serve: web
	cargo build --release --locked --bin yomikiri
	$(TARGET_DIR)/release/yomikiri serve $(ARGS)

# Coverage-guided fuzzing, TIME seconds for each target. TARGET names one or several targets.
TIME ?= 600
TARGET ?= codes positions boards records sessions checkpoints searches journals certificates tables answers surveys parts
fuzz:
	@scripts/fuzz $(TIME) $(TARGET)

# Times whole runs, to compare with the goals in docs/perf/goals.md, then parts of the program.
bench:
	cargo build --release --locked
	@scripts/bench
	cargo bench --locked

# Tries every crash point of runs that are too long for the tests (docs/reliability.md).
SWEPT = bin2x2 bin3x2 bin2x3 rev3x4 con3x4-k3 2g001 pyon3x3
sweep:
	cargo bench --locked --bench crash_points -- $(SWEPT)

# Fits the weights for the move ordering of reversi to positions that the search has solved (docs/reversi.md). Every run
# gives the same files, in about ten minutes. CODES names boards, as CODES=rev6x6; the default is all of them.
weights:
	cargo run --release --locked --package yomikiri-search --example weights -- $(CODES)

# Draws the pictures of the pages in docs from the tables of recorded games.
pictures: build
	@scripts/pictures

# Writes docs/atlas.md, docs/atlas.ja.md and their pictures from the records of surveys in precomp/surveys.
atlas:
	@scripts/atlas
	@python=$$(scripts/python-env) && $$python scripts/atlas-plots

# Writes docs/opening.md, docs/opening.ja.md and their picture from the opening in precomp/openings.
opening: build
	@scripts/opening-theory

# Writes docs/result.md and precomp/SHA256SUMS from the records in precomp.
result:
	@scripts/result
	@scripts/sums
