package main

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/sarchlab/akita/v3/monitoring"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/sarchlab/akita/v3/tracing"

	"github.com/rnicgen/rnicgen/model/system"
)

// traceFile writes the tasks of a simulation to a file that akita's viewer Daisen reads. It exists when it is complete.
type traceFile struct {
	path      string
	directory string // of the unfinished file
	close     []func()
}

// lockedBackend writes what the tracers of several parts of a system write at the same time.
type lockedBackend struct {
	lock sync.Mutex
	to   tracing.TracerBackend
}

func (b *lockedBackend) Write(t tracing.Task) {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.to.Write(t)
}

func (b *lockedBackend) Flush() {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.to.Flush()
}

// newTraceFile refuses a path that cannot be written.
func newTraceFile(path string) (*traceFile, error) {
	const allowed = "allowed: a new file with the extension .csv"
	if filepath.Ext(path) != ".csv" {
		return nil, fmt.Errorf("--trace is %s; %s", path, allowed)
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("--trace: %s exists; %s", path, allowed)
	}
	directory, err := os.MkdirTemp(filepath.Dir(path), ".trace-*")
	if err != nil {
		return nil, fmt.Errorf("--trace: %s cannot be created: %w; %s", path, reason(err), allowed)
	}
	return &traceFile{path: path, directory: directory}, nil
}

// unfinished returns the path without extension to which akita writes.
func (t *traceFile) unfinished() string { return filepath.Join(t.directory, "trace") }

// collect traces the components of all parts, each with the time of its part.
func (t *traceFile) collect(parts []system.Part) {
	writer := tracing.NewCSVTraceWriter(t.unfinished())
	writer.Init()
	backend := &lockedBackend{to: writer}
	for _, p := range parts {
		tracer := tracing.NewDBTracer(p.Engine, backend)
		t.close = append(t.close, tracer.Terminate)
		for _, c := range p.Components {
			if domain, is := c.(tracing.NamedHookable); is {
				tracing.CollectTrace(domain, tracer)
			}
		}
	}
}

// finish completes the file.
func (t *traceFile) finish() error {
	for _, close := range t.close {
		close()
	}
	err := os.Rename(t.unfinished()+".csv", t.path)
	return errors.Join(err, t.discard())
}

// discard removes what is not finished.
func (t *traceFile) discard() error { return os.RemoveAll(t.directory) }

// monitor serves akita's page on a simulation. Akita listens at all addresses; only this machine is answered.
func monitor(engine sim.Engine, parts []system.Part) {
	m := monitoring.NewMonitor()
	m.RegisterEngine(engine)
	for _, p := range parts {
		for _, c := range p.Components {
			if !strings.HasSuffix(c.Name(), ".Doorbell") && !strings.HasSuffix(c.Name(), ".Bus") {
				m.RegisterComponent(c)
			}
		}
	}
	m.StartServer()
	http.DefaultServeMux = loopbackOnly(http.DefaultServeMux) // which akita's server uses
}

// loopbackOnly refuses requests that do not come from a loopback address.
func loopbackOnly(h http.Handler) *http.ServeMux {
	m := http.NewServeMux()
	m.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		from, err := netip.ParseAddrPort(r.RemoteAddr)
		if err != nil || !from.Addr().Unmap().IsLoopback() {
			http.Error(w, "the page is for this machine only", http.StatusForbidden)
			return
		}
		h.ServeHTTP(w, r)
	})
	return m
}
