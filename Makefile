# Yomikiri: `make analyze` solves a game, `make test` checks everything.
RULES ?= bin4x4
TARGET_DIR := $(or $(CARGO_TARGET_DIR),$(CURDIR)/target)

# Exports: of every game, as make RULES=bin4x4 gz or parquet, and of animal shogi, as make RULES=val1n 1.txt.
EXPORTS := gz parquet csv jsonl keys.gz vals.gz 1.txt 2.txt 2_cooked.txt 3.txt unpruned_ai.txt

.PHONY: analyze build test test-rust test-release test-wasm test-python test-web wheel web docs smalldocs site serve \
	lint doc fuzz bench sweep weights pictures atlas result record check-record record-solve check-solve record-match \
	check-match record-strength record-proof record-proofs check-proof clean distclean $(EXPORTS)

analyze build clean distclean record check-record record-solve check-solve record-match check-match record-strength \
record-proof record-proofs check-proof $(EXPORTS):
	@$(MAKE) --no-print-directory -C precomp RULES=$(RULES) $@

# All tests, run as .ci/run does: those of the Rust programs, then of the command as it is shipped, of the module for
# pages, of the explorer in a browser, and of the Python package. The page is built first, because the program takes it
# in. What is built for a later step is built beside an earlier one, which does not keep all cores busy; what fails
# there says so once more where it is wanted.
test:
	@scripts/build-web >/dev/null & page=$$!; cargo test --locked --workspace --lib --no-run && wait $$page
	@cargo test --locked --workspace --no-run
	@nice cargo build --release --locked --quiet 2>/dev/null & shipped=$$!; $(MAKE) --no-print-directory test-rust && \
		{ wait $$shipped || true; }
	@$(MAKE) --no-print-directory test-release
	@nice $(MAKE) --no-print-directory wheel >/dev/null 2>&1 & wheel=$$!; \
		scripts/test-wasm $(TARGET_DIR)/release/yomikiri && scripts/test-web $(TARGET_DIR)/release/yomikiri && \
		{ wait $$wheel || true; }
	@$(MAKE) --no-print-directory test-python

# Copies of the explorer for plain web hosts, as make RULES=bin4x4 docs: site/CODE with all of its table, or else its
# certificate, and with what one side needs alone; then a front page over all that are there.
docs smalldocs: web
	@$(MAKE) --no-print-directory -C precomp RULES=$(RULES) $@

site: web
	cargo build --release --locked
	@$(TARGET_DIR)/release/yomikiri site

test-rust:
	cargo test --locked --workspace

# Everything that the tests ask of the command, asked of the program as it is shipped: optimised, without checks of
# overflows. They are the tests of these files.
ASKING = batch certificate compare counts damage data export forged horizon interrupted matches open_files plot programs \
	protocols prove puzzle readme remote retrograde_tables serve sessions terminal unfinished upgrade verbs
test-release:
	cargo build --release --locked
	YOMIKIRI_UNDER_TEST=$(TARGET_DIR)/release/yomikiri \
	cargo test --locked --workspace --test command --test play --test solve --test tables -- $(ASKING:%=%::)

# What the compiler, Clippy and rustdoc have to say, by the lints of Cargo.toml.
lint: doc
	cargo clippy --locked --workspace --all-targets -- --deny warnings

# The pages of the crates, which begin with an example each; the tests run these.
doc:
	RUSTDOCFLAGS="--deny warnings" cargo doc --locked --workspace --no-deps

# The WebAssembly module against the command, in Node.
test-wasm:
	@scripts/test-wasm

# The Python module (docs/python.md), as a wheel in target/wheels, and its tests, which also ask the command.
wheel:
	@rm -f $(TARGET_DIR)/wheels/yomikiri-*.whl
	python=$$(scripts/python-env) && $$python -m maturin build --release --locked --manifest-path python/Cargo.toml \
		--target-dir $(TARGET_DIR) --out $(TARGET_DIR)/wheels

test-python: wheel
	cargo build --release --locked
	python=$$(scripts/python-env) && $$python -m pip install --quiet --disable-pip-version-check --no-deps \
		--force-reinstall $(TARGET_DIR)/wheels/yomikiri-*.whl && \
	YOMIKIRI_UNDER_TEST=$(TARGET_DIR)/release/yomikiri $$python -m pytest python

# The page, into web/dist, from where it gets into the program.
web:
	@scripts/build-web

# The page in headless Chromium, and the server behind it.
test-web:
	@scripts/test-web

# Page and program, then the explorer at http://127.0.0.1:8000/; ARGS are arguments of the verb, as ARGS="--port 8001".
serve: web
	cargo build --release --locked --bin yomikiri
	$(TARGET_DIR)/release/yomikiri serve $(ARGS)

# Fuzz targets with inputs guided by what they reach, each for TIME seconds; TARGET names one or several.
TIME ?= 600
TARGET ?= codes positions boards records sessions checkpoints searches journals certificates tables answers surveys parts
fuzz:
	@scripts/fuzz $(TIME) $(TARGET)

# Whole runs with the goals they are measured by (docs/perf/goals.md), then the rates of parts.
bench:
	cargo build --release --locked
	@scripts/bench
	cargo bench --locked

# Every crash point of larger runs than the tests have (docs/reliability.md).
SWEPT = bin3x2 bin2x3 rev3x4 con3x4-k3 2g001 pyon3x3
sweep:
	cargo bench --locked --bench crash_points -- $(SWEPT)

# The weights by which reversi's search orders moves, fitted anew to positions it has solved (docs/reversi.md): the same
# files from every run, some ten minutes. CODES names boards, as CODES=rev6x6; without it all are made.
weights:
	cargo run --release --locked --package yomikiri-solve --example weights -- $(CODES)

# The pictures of the pages in docs, from the tables of recorded games.
pictures: build
	@scripts/pictures

# docs/atlas.md, docs/atlas.ja.md and their pictures, from the records of surveys in precomp/surveys.
atlas:
	@scripts/atlas
	@python=$$(scripts/python-env) && $$python scripts/atlas-plots

# docs/result.md and precomp/SHA256SUMS, from the records in precomp.
result:
	@scripts/result
	@scripts/sums
