package verilator

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/tool"
	"github.com/rnicgen/rnicgen/internal/process"
)

//go:embed shim
var shim embed.FS

// variant selects how a design is built. Compiled-in tracing slows a model down even while it is off, so it is compiled in
// only on request.
type variant struct {
	trace    string // "", "vcd" or "fst"
	coverage bool
	quick    bool // optimize for build time, not speed
}

func (v variant) verilatorFlags(top string) []string {
	// Each instance selects random or zero initial values.
	flags := []string{"--cc", "-O3", "--x-assign", "fast", "--x-initial", "unique", "--noassert", "--no-timing",
		"--prefix", "Vdut", "--Mdir", "obj", "--top-module", top}
	switch v.trace {
	case "vcd":
		flags = append(flags, "--trace")
	case "fst":
		flags = append(flags, "--trace-fst")
	}
	if v.coverage {
		flags = append(flags, "--coverage-line", coverageFile)
	}
	return flags
}

// compilerFlags keep all symbols local to the library, so that libraries of several designs can coexist in one process.
func (v variant) compilerFlags(include string) []string {
	return []string{"-std=c++17", "-march=native", "-fPIC", "-fvisibility=hidden", "-fvisibility-inlines-hidden",
		"-fno-gnu-unique", "-fcf-protection=none", "-fno-plt", "-w", "-I.", "-Iobj", "-I" + include,
		"-I" + filepath.Join(include, "vltstd"), "-DVL_TIME_CONTEXT", "-DVL_USER_FATAL", "-DVL_USER_STOP",
		"-DVL_USER_FINISH", "-DVM_SC=0",
		fmt.Sprintf("-DVM_COVERAGE=%d", number(v.coverage)),
		fmt.Sprintf("-DVM_TRACE=%d", number(v.trace != "")),
		fmt.Sprintf("-DVM_TRACE_VCD=%d", number(v.trace == "vcd")),
		fmt.Sprintf("-DVM_TRACE_FST=%d", number(v.trace == "fst"))}
}

// runtimeSpeed is the optimization level of Verilator's run-time sources, which do little work per cycle.
const runtimeSpeed = "-O1"

// modelSpeed is the model's optimization: -O3, or OPT_FAST from the environment, as in Verilator's own makefiles. A first run of
// rnic, which is mostly the build, takes half as long with -Og as with -O3.
func (v variant) modelSpeed() []string {
	if v.quick {
		return []string{"-O0"}
	}
	if flags := strings.Fields(os.Getenv("OPT_FAST")); len(flags) > 0 {
		return flags
	}
	return []string{"-O3"}
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// building holds a lock per build started by this process: a second build of the same design waits and finds the result.
var building sync.Map

// alone excludes other builds of that name in this process until the returned function is called.
func alone(name string) func() {
	one, _ := building.LoadOrStore(name, &sync.Mutex{})
	one.(*sync.Mutex).Lock()
	return one.(*sync.Mutex).Unlock
}

// build returns the path of the design's library, building it if it is not cached.
func build(ctx context.Context, d *simulator.Design, v variant) (string, error) {
	t, err := findTools(ctx)
	if err != nil {
		return "", err
	}
	header, err := designHeader(d)
	if err != nil {
		return "", err
	}
	sources := append([]simulator.File{{Name: "design.h", Text: header}}, d.Files...)
	err = fs.WalkDir(shim, "shim", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := shim.ReadFile(path)
		sources = append(sources, simulator.File{Name: entry.Name(), Text: string(text)})
		return err
	})
	if err != nil {
		return "", err
	}
	if v.coverage {
		sources = append(sources, simulator.File{Name: coverageFile, Text: coverageText(d)})
	}
	flags := append(v.verilatorFlags(d.Top), fileNames(d.Files)...)
	key := []string{t.identity, strings.Join(flags, "\n"), strings.Join(append(v.compilerFlags(t.include), v.modelSpeed()...), "\n")}
	for _, f := range sources {
		key = append(key, f.Name, f.Text)
	}
	hash := tool.Hash(key...)
	defer alone(hash)()
	dir, err := tool.Cached(ctx, hash, func(dir string) error {
		for _, f := range sources {
			if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o644); err != nil {
				return err
			}
		}
		if _, err := tool.Command(ctx, dir, t.verilator, flags...); err != nil {
			return err
		}
		return compile(ctx, t, v, dir)
	})
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, library), nil
}

const library = "dut.so"

// compile compiles the shim and the model as one translation unit: headers are parsed once, and calls between the two can
// be inlined.
func compile(ctx context.Context, t tools, v variant, dir string) error {
	if err := process.Made(t.verilator, filepath.Join(dir, "obj", "Vdut.h")); err != nil {
		return err
	}
	generated, err := filepath.Glob(filepath.Join(dir, "obj", "*.cpp"))
	if err != nil {
		return err
	}
	var unit strings.Builder
	unit.WriteString("#include \"exports.h\"\n")
	for _, path := range generated {
		include := fmt.Sprintf("#include \"obj/%s\"\n", filepath.Base(path))
		if strings.HasSuffix(path, "__Slow.cpp") { // runs once, at the start
			include = "#pragma GCC push_options\n#pragma GCC optimize (\"O0\")\n" + include + "#pragma GCC pop_options\n"
		}
		unit.WriteString(include)
	}
	if err := os.WriteFile(filepath.Join(dir, "unit.cpp"), []byte(unit.String()), 0o644); err != nil {
		return err
	}
	objects, err := runtimeObjects(ctx, t, v)
	if err != nil {
		return err
	}
	args := append(append(v.compilerFlags(t.include), v.modelSpeed()...), "-shared", "-Wl,-Bsymbolic", "-o", library, "unit.cpp")
	args = append(args, objects...)
	if v.trace == "fst" {
		args = append(args, "-lz")
	}
	if _, err := tool.Command(ctx, dir, t.cxx, append(args, "-pthread")...); err != nil {
		return err
	}
	if err := process.Made(t.cxx, filepath.Join(dir, library)); err != nil {
		return err
	}
	return os.RemoveAll(filepath.Join(dir, "obj"))
}

// runtimeObjects compiles Verilator's own run-time sources, once for all designs.
func runtimeObjects(ctx context.Context, t tools, v variant) ([]string, error) {
	names := []string{"verilated", "verilated_threads"}
	if v.trace != "" {
		names = append(names, "verilated_"+v.trace+"_c")
	}
	if v.coverage {
		names = append(names, "verilated_cov")
	}
	flags := append(v.compilerFlags(t.include), runtimeSpeed, "-c")
	key := "runtime-" + tool.Hash(t.identity, strings.Join(flags, "\n"), strings.Join(names, "\n"))
	defer alone(key)()
	dir, err := tool.Cached(ctx, key, func(dir string) error {
		for _, name := range names {
			_, err := tool.Command(ctx, dir, t.cxx, append(flags, filepath.Join(t.include, name+".cpp"))...)
			if err != nil {
				return missingZlib(err)
			}
			if err := process.Made(t.cxx, filepath.Join(dir, name+".o")); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var objects []string
	for _, name := range names {
		objects = append(objects, filepath.Join(dir, name+".o"))
	}
	return objects, nil
}

// missingZlib replaces the error of a build that lacks zlib.h: the FST writer compresses with zlib.
func missingZlib(err error) error {
	var failed *tool.Error
	if errors.As(err, &failed) && strings.Contains(failed.Stderr, "zlib.h: No such file") {
		return &simulator.MissingToolError{Tool: "zlib", Install: "apt-get install zlib1g-dev"}
	}
	return err
}

func fileNames(files []simulator.File) []string {
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	return names
}
