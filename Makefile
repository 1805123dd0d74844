# Targets for people; `make help` lists them.

GOLANGCI  = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.11.4
GOFUMPT   = mvdan.cc/gofumpt@v0.9.2
LAB       = .ci/lab/run

.PHONY: help build test check lint unit cross abi lab lab-long bench bench-lab

help: ## list the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

build: ## build bin/ibtour
	go build -trimpath -o bin/ibtour ./cmd/ibtour

test: ## everything CI runs, the lab VM included
	.ci/test

check: ## formatting, vet, lint and unit tests: quick, needs no RDMA
	.ci/check

bench: ## benchmarks on this machine
	go test -run '^$$' -bench . -benchmem ./...

bench-lab: ## ibtour auto against ibv_rc_pingpong, in the lab VM
	.ci/lab/bench

lab-long: ## soft0 against the original, 10,000 iterations each, on good and bad wires: an hour
	IBTOUR_LAB_LONG=1 IBTOUR_LAB_LIMIT=7200 IBTOUR_LAB_RUN='^TestSoft0' .ci/lab/test ./cmd/ibtour

lab: ## a shell in the lab VM
	$(LAB) -i
