package simulator

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// Design is a clocked module and the meaning of its ports.
type Design struct {
	Top     string
	Files   []File
	Clock   string // rising edge; "" if the module is combinational, as is then the reset
	Reset   string // synchronous, active high
	Ports   []Port
	Streams []Stream
	Statics []string // inputs that the caller sets occasionally: configuration

	Memories []MemoryPort // streams connected to a memory

	Instances []Instance // the modules whose ports count in Coverage; empty: none

	// Simulate creates an instance that is simulated in this process, with the Seed, RandomInit and Trace of the options. The
	// go engine needs it; the others need Files. A Model that is an io.Closer is closed with its engine.
	Simulate func(Options) (Model, error)

	// Hash enables the trace hash of every instance, regardless of the options.
	Hash bool

	// Wrap, if not nil, wraps a newly opened engine for its user. The engine is closed with its wrapper.
	Wrap func(Engine) (Engine, error)
}

// File is one Verilog source.
type File struct{ Name, Text string }

// Port is one port of the top module.
type Port struct {
	Name  string
	Dir   PortDir
	Width int // bits
}

// Words returns the number of 64-bit words of a value of the port.
func (p Port) Words() int { return (p.Width + 63) / 64 }

// PortDir is the direction of a port, as seen from the design.
type PortDir int

const (
	In PortDir = iota
	Out
)

// Instance is an instance of a module in the design.
type Instance struct {
	Path    string // instance names from the top module down, separated by dots
	Module  string // its name in the files
	Variant string // including the instance's parameters
	Ports   []Port
}

// Stream is a ready/valid channel: a beat is transferred in each cycle with both high. A source without Ready is a
// monitor: each cycle with valid high is a beat. It cannot be stalled, so Run ends when its buffer is full, and does not
// start before something is popped.
type Stream struct {
	Name         string
	Dir          StreamDir
	Valid, Ready string
	Fields       []string // ports, packed in this order, the first from bit 0 of a beat
}

// Monitor reports whether the stream is a source that cannot be stalled.
func (s Stream) Monitor() bool { return s.Dir == Source && s.Ready == "" }

// StreamDir is the direction of a stream, as seen from the design.
type StreamDir int

const (
	Sink   StreamDir = iota // into the design
	Source                  // out of the design
)

func (d StreamDir) String() string {
	if d == Sink {
		return "sink"
	}
	return "source"
}

// Model is a design simulated in this process. A port is named by its index in Design.Ports; a value is in 64-bit words,
// low word first, its unused high bits zero.
type Model interface {
	Set(port int, value []uint64)
	Get(port int, value []uint64)
	Settle() // propagates the inputs through the combinational logic
	Clock()  // one rising clock edge, with the logic settled before it
}

// FailingModel is a Model that may fail: from then on Err returns the cause, and its other results are meaningless.
type FailingModel interface {
	Model
	Err() error
}

// Stream returns the index of a stream.
func (d *Design) Stream(name string) (int, error) {
	for i, s := range d.Streams {
		if s.Name == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%s has no stream %q", d.Top, name)
}

// Memory returns the index of a memory.
func (d *Design) Memory(name string) (int, error) {
	for i, m := range d.Memories {
		if m.Name == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%s has no memory %q", d.Top, name)
}

// Port returns the index of a port.
func (d *Design) Port(name string) (int, error) {
	for i, p := range d.Ports {
		if p.Name == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("%s has no port %q", d.Top, name)
}

// Qualifies returns the valid of the stream that a port is a field of, "" if it is not a field.
func (d *Design) Qualifies(port string) (valid string) {
	for _, s := range d.Streams {
		if slices.Contains(s.Fields, port) {
			return s.Valid
		}
	}
	return ""
}

// A name must mean the same in Verilog and in the C++ generated from it, which rewrites double underscores.
var portName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$`)

var fileName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]*\.s?v$`)

// Check reports everything that prevents an engine from driving the design: each input must be the clock, the reset, a
// static, or part of exactly one stream.
func (d *Design) Check() error {
	c := checker{design: d, use: map[string]string{}}
	if !portName.MatchString(d.Top) {
		c.add("top module: %q is not a usable name", d.Top)
	}
	names := map[string]bool{}
	for _, p := range d.Ports {
		switch {
		case !portName.MatchString(p.Name):
			c.add("port %q: not a usable name", p.Name)
		case names[p.Name]:
			c.add("port %s: listed twice", p.Name)
		case p.Width < 1:
			c.add("port %s: width %d; it must be at least 1", p.Name, p.Width)
		}
		names[p.Name] = true
	}
	if d.Clock != "" || d.Reset != "" {
		c.claim("clock", d.Clock, In, 1)
		c.claim("reset", d.Reset, In, 1)
	}
	for _, s := range d.Statics {
		c.claim("static", s, In, 0)
	}
	streams := map[string]bool{}
	for _, s := range d.Streams {
		if streams[s.Name] {
			c.add("stream %s: listed twice", s.Name)
		}
		streams[s.Name] = true
		c.stream(s)
	}
	memories := map[string]bool{}
	for _, m := range d.Memories {
		if memories[m.Name] || memories["port "+m.Prefix] {
			c.add("memory %s: its name or its port %s is listed twice", m.Name, m.Prefix)
		}
		memories[m.Name], memories["port "+m.Prefix] = true, true
		c.memory(m)
	}
	for _, p := range d.Ports {
		if p.Dir == In && c.use[p.Name] == "" {
			c.add("input %s: nothing drives it; name it in a stream or in Statics", p.Name)
		}
	}
	for _, f := range d.Files {
		if !fileName.MatchString(f.Name) {
			c.add("file %q: not a plain name that ends in .v or .sv", f.Name)
		}
	}
	return errors.Join(c.errs...)
}

type checker struct {
	design *Design
	use    map[string]string // use of each port
	errs   []error
}

func (c *checker) add(format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("%s: %w: %s", c.design.Top, ErrDesign, fmt.Sprintf(format, args...)))
}

func (c *checker) stream(s Stream) {
	forward, backward := In, Out
	if s.Dir == Source {
		forward, backward = Out, In
	}
	c.claim("valid of "+s.Name, s.Valid, forward, 1)
	if !s.Monitor() {
		c.claim("ready of "+s.Name, s.Ready, backward, 1)
	}
	if len(s.Fields) == 0 {
		c.add("stream %s: no fields", s.Name)
	}
	for _, f := range s.Fields {
		c.claim("field of "+s.Name, f, forward, 0)
	}
}

// claim reserves a port for one use; width 0 means any.
func (c *checker) claim(use, port string, dir PortDir, width int) {
	i := slices.IndexFunc(c.design.Ports, func(p Port) bool { return p.Name == port })
	if i < 0 {
		c.add("%s: there is no port %q", use, port)
		return
	}
	p := c.design.Ports[i]
	if p.Dir != dir {
		c.add("%s: port %s has the wrong direction", use, port)
	}
	if width != 0 && p.Width != width {
		c.add("%s: port %s is %d bits wide; it must be %d", use, port, p.Width, width)
	}
	if other := c.use[port]; other != "" {
		c.add("%s: port %s is already the %s", use, port, other)
	}
	c.use[port] = use
}
