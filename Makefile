# Yomikiri: `make analyze` solves a game, `make test` checks everything.
RULES ?= bin4x4

.PHONY: analyze build test bench record check-record clean distclean

analyze build clean distclean record check-record:
	@$(MAKE) --no-print-directory -C precomp RULES=$(RULES) $@

# All tests, run as .ci/run does.
test:
	cargo build --release --locked
	cargo test --locked

bench:
	cargo bench --locked
