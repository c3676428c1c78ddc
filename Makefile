# make run        installs missing tools and demonstrates the commands
# make test       runs the checks of CI
# make test-long  runs every test
# make bench      measures the figures in README.md
# make soak       a long random run
# make verify     all evidence in one directory; takes hours

OUT     := out
BIN     := $(OUT)/rnicgen
# command:Debian package
TOOLS   := verilator:verilator g++:g++ iverilog:iverilog yosys:yosys nextpnr-ice40:nextpnr-ice40 z3:z3 cvc4:cvc4 cadical:cadical tshark:tshark
# Packages with the longest tests start first.
SLOW    := ./gen ./cosim/rnic ./vectors ./cmd/rnicgen ./cosim/falcon ./vectors/falcon ./cosim/fuzz
# Nothing here needs C in Go; one of akita's tracers would compile a database.
export CGO_ENABLED ?= 0
CAPTURE := cosim/capture/testdata/siw/siw612_rtest_ops.pcap

.PHONY: run test test-long bench soak verify tools build golden clean

run: build
	@cmd/run.sh $(BIN) $(OUT) $(CAPTURE)

# Models for tests run for seconds, so they are compiled quickly, and Go without what debuggers need; memory suffices for infrequent garbage collection.
test test-long: export OPT_FAST ?= -Og
test test-long: export GOFLAGS ?= -gcflags=all=-dwarf=false -ldflags=-w
test test-long: export GOGC ?= 400
test: SHORT := -short
test-long: TOOLS += chromium:chromium
test test-long: tools
	@unformatted="$$(gofmt -l .)"; test -z "$$unformatted" || { echo "gofmt would change: $$unformatted"; exit 1; }
	go test -vet=off $(SHORT) -timeout 60m $(SLOW) ./...
	go vet ./...
	$(MAKE) --no-print-directory golden

# The committed Verilog and generated pages must match the output of the code.
golden:
	go test -vet=off ./gen -run 'Golden|Docs' -update -count=1
	@git diff --exit-code --stat -- gen/testdata docs || { echo "golden files are out of date: commit the changes of 'make golden'"; exit 1; }

bench: build
	$(BIN) bench

soak: build
	@cmd/soak.sh $(BIN) $(OUT)
	$(BIN) soak --cycles 10000000

verify: build
	$(BIN) verify --out $(OUT)/evidence

build: tools
	@mkdir -p $(OUT)
	go build -buildvcs=auto -o $(BIN) ./cmd/rnicgen

tools:
	@command -v go >/dev/null || { echo "Go 1.26 or newer is missing: https://go.dev/dl/"; exit 1; }
	@missing=; for t in $(TOOLS); do command -v $${t%%:*} >/dev/null || missing="$$missing $${t##*:}"; done; \
	echo '#include <zlib.h>' | g++ -E -x c++ - >/dev/null 2>&1 || missing="$$missing zlib1g-dev"; \
	test -z "$$missing" && exit 0; \
	install="apt-get install -y --no-install-recommends$$missing"; \
	if ! command -v apt-get >/dev/null; then echo "missing:$$missing; install them with this system's package manager"; exit 1; fi; \
	if [ "$$(id -u)" != 0 ]; then sudo="sudo"; command -v sudo >/dev/null || { echo "missing:$$missing; as root: apt-get update && $$install"; exit 1; }; fi; \
	echo "installing$$missing"; \
	$$sudo apt-get update -q && $$sudo env DEBIAN_FRONTEND=noninteractive $$install

clean:
	rm -rf $(OUT)
