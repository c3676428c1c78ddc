package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/sarchlab/akita/v3/monitoring"
	"github.com/sarchlab/akita/v3/sim"
	"github.com/sarchlab/akita/v3/tracing"
)

// traceFile writes the tasks of a simulation to a file that akita's viewer Daisen reads. It exists when it is complete.
type traceFile struct {
	path      string
	directory string // of the unfinished file
	tracer    *lockedTracer
	close     func()
}

// lockedTracer is a tracer that components of the parallel engine call at the same time.
type lockedTracer struct {
	lock sync.Mutex
	to   tracing.Tracer
}

func (t *lockedTracer) StartTask(task tracing.Task) { t.locked(func() { t.to.StartTask(task) }) }
func (t *lockedTracer) StepTask(task tracing.Task)  { t.locked(func() { t.to.StepTask(task) }) }
func (t *lockedTracer) EndTask(task tracing.Task)   { t.locked(func() { t.to.EndTask(task) }) }

func (t *lockedTracer) locked(do func()) {
	t.lock.Lock()
	defer t.lock.Unlock()
	do()
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

// collect traces components.
func (t *traceFile) collect(engine sim.Engine, components []sim.Component) {
	writer := tracing.NewCSVTraceWriter(t.unfinished())
	writer.Init()
	tracer := tracing.NewDBTracer(engine, writer)
	t.tracer, t.close = &lockedTracer{to: tracer}, tracer.Terminate
	for _, c := range components {
		if domain, is := c.(tracing.NamedHookable); is {
			tracing.CollectTrace(domain, t.tracer)
		}
	}
}

// finish completes the file.
func (t *traceFile) finish() error {
	if t.close != nil {
		t.close()
	}
	err := os.Rename(t.unfinished()+".csv", t.path)
	return errors.Join(err, t.discard())
}

// discard removes what is not finished.
func (t *traceFile) discard() error { return os.RemoveAll(t.directory) }

// monitor serves akita's page on a simulation.
func monitor(engine sim.Engine, components []sim.Component) {
	m := monitoring.NewMonitor()
	m.RegisterEngine(engine)
	for _, c := range components {
		if !strings.HasSuffix(c.Name(), ".Doorbell") && !strings.HasSuffix(c.Name(), ".Bus") {
			m.RegisterComponent(c)
		}
	}
	m.StartServer()
}
