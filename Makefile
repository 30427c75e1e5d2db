# Every target is a thin name for something that can be run without make.

.PHONY: check gen fuzz bench faults site release

check: ## everything CI checks
	./.ci/run

gen: ## write the generated files again
	./.ci/run regenerate

fuzz: ## a minute for each fuzz target (FUZZTIME=600 for longer); the corpus in .fuzz is kept and grows
	FUZZCACHE=$${FUZZCACHE:-.fuzz} FUZZTIME=$${FUZZTIME:-60} FUZZBUDGET=$${FUZZBUDGET:-86400} ./.ci/run fuzz

bench: ## the tables of the module bench
	go run ./bench/cmd/tables

faults: ## kill what shares work, by the seeds that are kept and FAULTS=10 others, fill its disk, tear files
	WEFT_FLOW_FAULTS=$${FAULTS:-10} go test ./flow/cmd/weft-flow -run 'TestFaults|TestFullDisk' -v -timeout 30m
	go test ./flow -run 'TestFileAppend|TestRecordFaults' -v

release: ## commit and tag a release and build its archives, without pushing: make release VERSION=v0.1.0
	./.ci/release "$(VERSION)"

site: ## the documentation as HTML and the playground, in out/site; they open without a server
	go run ./site -out out/site
