package icarus

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"unsafe"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/internal/process"
)

// Requests to the child, and its responses: the first word of each exchange. They must match vpi/drive.c.
const (
	askSettle = iota // propagate the inputs
	askEdge          // after a rising clock edge with the previous inputs
	askEnd
)

const (
	hasSettled = iota
	hasFinished
	doesNotSettle
)

// model is a simulator.Model in a child process. Ports are set and read here; one exchange per cycle synchronizes both sides.
type model struct {
	design   *simulator.Design
	child    *exec.Cmd
	to       *os.File
	from     *os.File
	output   output
	watch    *watch   // for unknown values; nil: none
	at       []int    // by port: position of its value in the request or the response
	ask      []uint64 // the inputs
	response []uint64 // the outputs
	fresh    bool     // the response is to the current inputs
	edge     bool     // the clock has risen since the response
	err      error
}

// start starts a child, with a watch for unknown values, or nil.
func start(ctx context.Context, d *simulator.Design, w *watch, program string, args ...string) (*model, error) {
	m := &model{design: d, watch: w, ask: make([]uint64, 1), response: make([]uint64, 1), at: make([]int, len(d.Ports))}
	for i, p := range d.Ports {
		list, words := &m.ask, p.Words()
		if p.Dir == simulator.Out {
			list = &m.response
			if w != nil {
				words *= 2
			}
		}
		if p.Name != d.Clock {
			m.at[i] = len(*list)
			*list = append(*list, make([]uint64, words)...)
		}
	}
	theirs, ours, err := pipes()
	if err != nil {
		return nil, err
	}
	m.from, m.to = ours[0], ours[1]
	m.child = process.Command(ctx, "", program, args...)
	m.child.ExtraFiles = theirs[:] // 3 and 4
	m.child.Stdout, m.child.Stderr = &m.output, &m.output
	err = m.child.Start()
	for _, f := range theirs {
		f.Close()
	}
	if err != nil {
		return nil, errors.Join(err, m.to.Close(), m.from.Close())
	}
	return m, nil
}

// pipes creates a pipe in each direction: the child reads requests and writes responses.
func pipes() (theirs, ours [2]*os.File, err error) {
	if theirs[0], ours[1], err = os.Pipe(); err != nil {
		return theirs, ours, err
	}
	if ours[0], theirs[1], err = os.Pipe(); err != nil {
		return theirs, ours, errors.Join(err, theirs[0].Close(), ours[1].Close())
	}
	return theirs, ours, nil
}

// value returns the words of a port in the request or the response. The clock has none.
func (m *model) value(port int) []uint64 {
	at, list := m.at[port], m.ask
	if m.design.Ports[port].Dir == simulator.Out {
		list = m.response
	}
	if at == 0 {
		return nil
	}
	return list[at : at+m.design.Ports[port].Words()]
}

// unknown returns the words after the value of an output, if there is a watch: the bits that are x or z.
func (m *model) unknown(port int) []uint64 {
	words := m.design.Ports[port].Words()
	return m.response[m.at[port]+words : m.at[port]+2*words]
}

func (m *model) Set(port int, value []uint64) {
	copy(m.value(port), value)
	m.fresh = false
}

func (m *model) Get(port int, value []uint64) {
	clear(value)
	copy(value, m.value(port))
}

// Settle exchanges the pins, preceded by a clock edge if one is pending.
func (m *model) Settle() {
	switch {
	case m.edge:
		m.exchange(askEdge)
	case !m.fresh:
		m.exchange(askSettle)
	}
}

// Clock defers the edge to the next exchange.
func (m *model) Clock() {
	m.Settle()
	m.edge = true
}

// Err returns the reason why the child has ended.
func (m *model) Err() error { return m.err }

func (m *model) exchange(what uint64) {
	if m.err != nil {
		return
	}
	m.ask[0] = what
	m.edge, m.fresh = false, true
	_, err := m.to.Write(octets(m.ask))
	if err == nil {
		err = m.read()
	}
	switch {
	case err != nil:
		m.err = m.died()
	case m.response[0] == hasFinished:
		m.end()
		m.err = errors.New("the design has called $finish or $stop")
	case m.response[0] == doesNotSettle:
		m.end()
		m.err = fmt.Errorf("the logic did not settle in %d seconds", patience)
	case m.watch != nil && what != askEnd:
		if m.err = m.watch.check(m); m.err != nil {
			m.end()
		}
	}
}

func (m *model) read() error {
	for rest := octets(m.response); len(rest) > 0; {
		n, err := m.from.Read(rest)
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// end ends the child and returns the last line of its output.
func (m *model) end() string {
	m.to.Close()
	m.from.Close()
	_ = m.child.Wait()
	return m.output.last()
}

// died waits for a child that has ended by itself, and returns how.
func (m *model) died() error {
	said := m.end()
	how := m.child.ProcessState.String()
	if said != "" {
		how += ": " + said
	}
	return &simulator.DiedError{Tool: "vvp", How: how}
}

// Close completes the waveform. Closing its pipe ends a child that is still running.
func (m *model) Close() error {
	if m.err == nil {
		if m.edge {
			m.exchange(askEdge)
		}
		m.exchange(askEnd)
	}
	if m.err == nil {
		m.end()
		m.err = simulator.ErrClosed
	}
	return nil
}

func octets(words []uint64) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(&words[0])), 8*len(words))
}

// output keeps the end of a child's output.
type output struct {
	sync.Mutex
	text []byte
}

const outputKept = 4096

func (o *output) Write(text []byte) (int, error) {
	o.Lock()
	defer o.Unlock()
	o.text = append(o.text, text...)
	if n := len(o.text); n > outputKept {
		o.text = o.text[:copy(o.text, o.text[n-outputKept:])]
	}
	return len(text), nil
}

func (o *output) last() string {
	o.Lock()
	defer o.Unlock()
	text := bytes.TrimSpace(o.text)
	return strings.TrimSpace(string(text[bytes.LastIndexByte(text, '\n')+1:]))
}
