// Package verilator is the engine that compiles a design with Verilator and g++ into a shared library and loads it into this
// process, without cgo. Libraries are cached under a hash of all their inputs.
package verilator

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/batch"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/tool"
	"github.com/rnicgen/rnicgen/internal/splitmix"
)

// Open starts an instance of the design, building its library if it is not cached.
func Open(d *simulator.Design, o simulator.Options) (simulator.Engine, error) {
	e, _, err := open(d, o)
	return e, err
}

func open(d *simulator.Design, o simulator.Options) (*batch.Engine, *driver, error) {
	if err := d.Check(); err != nil {
		return nil, nil, err
	}
	if err := o.TwoStates("verilator"); err != nil {
		return nil, nil, err
	}
	o = o.WithDefaults()
	v := variant{coverage: o.Coverage != nil, quick: o.Quick}
	if err := o.CheckTrace(); err != nil {
		return nil, nil, err
	}
	v.trace = strings.TrimPrefix(filepath.Ext(o.Trace), ".")
	lib, err := libraryOf(o.Context, d, v)
	if err != nil {
		return nil, nil, err
	}
	trace := append([]byte(o.Trace), 0)
	r1, _, _ := purego.SyscallN(lib.open, uintptr(o.Buffer), flag(o.Stamps), flag(o.RandomInit), initialSeed(o.Seed),
		uintptr(unsafe.Pointer(&trace[0])))
	if r1 == 0 {
		if o.Trace != "" {
			return nil, nil, simulator.NewTraceError(o.Trace, errors.New("it cannot be opened"))
		}
		return nil, nil, fmt.Errorf("out of memory for an instance of %s", d.Top)
	}
	drv := &driver{library: lib, trace: o.Trace, instance: r1, args: []uintptr{r1, flag(o.Hash)}}
	block := (*batch.Block)(lib.pointer(lib.block, r1))
	streams := unsafe.Slice((*batch.Stream)(lib.pointer(lib.streams, r1)), len(d.Streams))
	block.Hash = batch.HashStart
	for i := range streams {
		streams[i].Random = batch.Seed(o.Seed, uint64(i))
	}
	if o.Coverage != nil {
		drv.openCoverage(d, o.Coverage)
	}
	e, err := batch.New(d, o, block, streams, drv.memories(len(d.Memories)), drv)
	return e, drv, err
}

// initialSeed hashes the seed of the initial state. Each bit that Verilator draws is the parity of some bits of its seed, so
// with small seeds some registers would always start with the same value.
func initialSeed(seed uint64) uintptr { return uintptr(splitmix.New(seed, 0).Next() >> 33) }

// driver runs an instance in a library. Its memory belongs to the library.
type driver struct {
	library  *loaded
	instance uintptr
	args     []uintptr  // arguments of run, reused to avoid an allocation per call
	copied   [5]uintptr // arguments of a copy, likewise
	trace    string     // waveform file
	coverage *coverage  // nil if not collected
}

func (d *driver) Run()   { purego.SyscallN(d.library.run, d.args...) }
func (d *driver) Reset() { purego.SyscallN(d.library.reset, d.args[0]) }

func (d *driver) SetPort(port int, value []uint64) {
	purego.SyscallN(d.library.set, d.instance, uintptr(port), uintptr(unsafe.Pointer(&value[0])))
}

func (d *driver) GetPort(port int, value []uint64) {
	clear(value)
	purego.SyscallN(d.library.get, d.instance, uintptr(port), uintptr(unsafe.Pointer(&value[0])))
}

func (d *driver) Close() (err error) {
	if d.coverage != nil {
		err = d.closeCoverage()
	}
	if lost, _, _ := purego.SyscallN(d.library.close, d.instance); lost != 0 {
		err = errors.Join(err, simulator.NewTraceError(d.trace, errors.New("the disk is full or failing")))
	}
	d.instance = 0
	return err
}

func flag(b bool) uintptr {
	if b {
		return 1
	}
	return 0
}

// libraryOf builds a design's library and loads it. If a cached library is intact but cannot be loaded, it was linked against other
// versions of the system's libraries, and is rebuilt.
func libraryOf(ctx context.Context, d *simulator.Design, v variant) (*loaded, error) {
	path, err := build(ctx, d, v)
	if err != nil {
		return nil, err
	}
	lib, wrong := load(path)
	if wrong == nil {
		return lib, nil
	}
	if err := tool.Remove(ctx, filepath.Dir(path), wrong); err != nil {
		return nil, err
	}
	if path, err = build(ctx, d, v); err != nil {
		return nil, err
	}
	return load(path)
}

// loaded holds the addresses of a library's functions.
type loaded struct {
	open, block, streams, run, reset, set, get, plain, close uintptr
	memory, memoryRead, memoryWrite                          uintptr
	coverage, coverageWrite                                  uintptr // 0 if not built in
}

// pointer calls a function that returns an address in the library's memory, which the garbage collector never moves.
func (l *loaded) pointer(fn uintptr, args ...uintptr) unsafe.Pointer {
	r1, _, _ := purego.SyscallN(fn, args...)
	return *(*unsafe.Pointer)(unsafe.Pointer(&r1))
}

var libraries struct {
	sync.Mutex
	byPath map[string]*loaded
}

// load opens a library once and keeps it loaded: later instances reuse it, and unloading a library with thread-local state
// while threads run is unsafe.
func load(path string) (*loaded, error) {
	libraries.Lock()
	defer libraries.Unlock()
	if lib := libraries.byPath[path]; lib != nil {
		return lib, nil
	}
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", path, err)
	}
	lib := &loaded{}
	for _, f := range []struct {
		name    string
		address *uintptr
	}{
		{"dut_open", &lib.open}, {"dut_block", &lib.block}, {"dut_streams", &lib.streams}, {"dut_run", &lib.run},
		{"dut_reset", &lib.reset}, {"dut_set", &lib.set}, {"dut_get", &lib.get}, {"dut_plain", &lib.plain},
		{"dut_close", &lib.close}, {"dut_memory", &lib.memory}, {"dut_memory_read", &lib.memoryRead},
		{"dut_memory_write", &lib.memoryWrite},
	} {
		if *f.address, err = purego.Dlsym(handle, f.name); err != nil {
			return nil, fmt.Errorf("model %s: %w", path, err)
		}
	}
	lib.coverage, _ = purego.Dlsym(handle, "dut_coverage")
	lib.coverageWrite, _ = purego.Dlsym(handle, "dut_coverage_write")
	if libraries.byPath == nil {
		libraries.byPath = map[string]*loaded{}
	}
	libraries.byPath[path] = lib
	return lib, nil
}
