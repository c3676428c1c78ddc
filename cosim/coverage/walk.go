package coverage

import (
	"errors"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// walk sends a message of every bin to a node, each on a separate stream. Whether a message is in its bin is decided by the model's
// verdict on the received message, not by the walk.

// The rows of a stream.
const (
	rowGood    = iota // all rights
	rowSink           // locally writable, until the walk changes it
	rowWeak           // valid, but without any useful right
	rowFailing        // memory fails from its second page on
	rowsOf
)

const (
	page      = 4096
	rowOctets = 1 << 17 // of a stream's row, with room after it
	rowLength = 1 << 16
	walkBase  = uint64(1) << 32
)

// Offsets of messages in the good row, chosen not to overlap.
const (
	atWrite   = 0x0000
	atRead    = 0x4000
	atAtomic  = 0x6000
	atReceive = 0x8000
	atBefore  = 0xC000 // likewise for the preceding message
)

type walk struct {
	config  walkConfig
	node    *rnic.Node
	changed map[int]bool // rows changed from their initial state
	hold    bool         // stall transmission while requests arrive
	failing []simulator.Range

	protocol spec.Extensions
}

type walkConfig struct{ streams, bus, maxPayload, ird int }

// region returns the initial state of a row.
func (w *walk) region(stream, row int) memory.Region {
	address := uint64(1)<<24 + uint64(stream*rowsOf+row)*rowOctets
	r := memory.Region{Valid: true, Key: uint8(17*stream + row + 1), Owner: uint16(stream), Base: walkBase*uint64(stream+1) + 0x777, Length: rowLength, Address: address}
	switch row {
	case rowGood:
		r.Rights = memory.LocalRead | memory.LocalWrite | memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic
	case rowSink:
		r.Rights = memory.LocalWrite | memory.Invalidate
	case rowWeak:
		r.Rights = memory.Invalidate
	case rowFailing:
		r.Rights = memory.LocalRead | memory.LocalWrite | memory.RemoteWrite
	}
	w.attribute(&r, row)
	return r
}

func (w *walk) stag(stream, row int) uint32 {
	return memory.STag(stream*rowsOf+row, w.region(stream, row).Key)
}

func (w *walk) to(stream, row, offset int) uint64 { return w.region(stream, row).Base + uint64(offset) }

func (w *walk) buffer(stream, row, offset int) rdmap.Buffer {
	return rdmap.Buffer{STag: w.stag(stream, row), TO: w.to(stream, row, offset)}
}

// set stores a row; the walk restores it before the next message of its stream.
func (w *walk) set(stream, row int, edit func(*memory.Region)) error {
	r := w.region(stream, row)
	if edit != nil {
		edit(&r)
	}
	index := stream*rowsOf + row
	w.changed[index] = edit != nil
	return w.node.SetRegion(index, r)
}

// script holds the steps for one message: setup, the first segments, a change once the device is idle again, and the second
// segments.
type script struct {
	setUp, first, change, second []func() error
}

// run sends the messages of some bins, one per stream.
func (w *walk) run(list []Message) error {
	scripts := make([]script, len(list))
	for i, m := range list {
		if err := w.fresh(i); err != nil {
			return err
		}
		s, err := w.script(i, m)
		if err != nil {
			return fmt.Errorf("coverage: bin %v: %w", m, err)
		}
		scripts[i] = s
	}
	for phase := range 4 {
		if phase == 1 && w.hold {
			if err := w.stall(256); err != nil {
				return err
			}
		}
		for _, s := range scripts {
			for _, do := range [][]func() error{s.setUp, s.first, s.change, s.second}[phase] {
				if err := do(); err != nil {
					return err
				}
			}
		}
		if err := w.rest(); err != nil {
			return err
		}
		if phase == 1 && w.hold {
			if err := errors.Join(w.stall(0), w.rest()); err != nil {
				return err
			}
		}
		if err := w.node.Settle(); err != nil {
			return err
		}
	}
	for i := range list { // the end of every stream
		w.node.Send(uint32(i), nil)
	}
	var memory [][]rnic.Range
	for i := range list {
		memory = append(memory, []rnic.Range{{Address: w.region(i, rowGood).Address, Octets: rowLength}, {Address: w.region(i, rowSink).Address, Octets: page}})
	}
	return errors.Join(w.rest(), w.node.Settle(memory...))
}

func (w *walk) stall(chance int) error {
	s := simulator.Stall{}
	if chance > 0 {
		s = simulator.Stall{Mode: simulator.StallRandom, Chance: chance}
	}
	return w.node.Device.Stall("m_axis_tx", s)
}

// rest runs the device until it is idle. It may be waiting for a peer that does not respond.
func (w *walk) rest() error {
	for {
		out, err := w.node.Run(4000, 256)
		var waits *simulator.StuckError
		if err != nil && !errors.As(err, &waits) {
			return err
		}
		if !out.Busy || err != nil || w.hold && len(out.Segments) == 0 {
			return nil
		}
	}
}

// fresh opens a stream with its rows in their initial state.
func (w *walk) fresh(stream int) error {
	for row := range rowsOf {
		if w.changed[stream*rowsOf+row] {
			if err := w.set(stream, row, nil); err != nil {
				return err
			}
		}
	}
	return w.node.Open(uint32(stream), 9)
}

// newWalk sets up a node: the rows of every stream, and failing memory.
func newWalk(c *collector) (*walk, error) {
	k := c.config
	node, err := rnic.OpenNode("walk", k, rnic.Options{Engine: engineName, Seed: 1, Latency: simulator.Latency{Least: 1, Most: 40}, Coverage: &c.code, Context: c.context})
	if err != nil {
		return nil, err
	}
	const most = 16 // maximum number of failing ranges
	w := &walk{config: walkConfig{min(k.Streams, k.STags/rowsOf, most), k.BusBytes, k.MaxPayload, k.IRD}, node: node, changed: map[int]bool{}, protocol: k.Protocol()}
	node.Observer = c.bins
	var bounds []simulator.Range
	for s := range w.config.streams {
		for row := range rowsOf {
			r := w.region(s, row)
			bounds = append(bounds, simulator.Range{First: r.Address, Last: r.Address + r.Length - 1, Reads: true, Writes: true})
			if row == rowFailing {
				w.failing = append(w.failing, simulator.Range{First: r.Address + page, Last: r.Address + r.Length - 1, Reads: true, Writes: true})
			}
			if err := w.set(s, row, nil); err != nil {
				return nil, errors.Join(err, node.Close())
			}
		}
	}
	node.Device.FailFlushes(w.failing...)
	if err := errors.Join(node.SetFaulty(w.failing...), node.Device.Memory().SetBounds(bounds...)); err != nil {
		return nil, errors.Join(err, node.Close())
	}
	return w, nil
}

// octetsOf returns a length in a class.
func (w *walk) octetsOf(class string) int {
	switch class {
	case "1-7":
		return 5
	case "8-bus", "fixed":
		return 8
	case "beats":
		return w.config.bus + 9
	case "segments":
		return 24
	}
	return 0
}

// offset returns the offset from a bus-aligned address for a class.
func (w *walk) offset(class string) int {
	switch class {
	case "word":
		return 8
	case "octet":
		return 3
	}
	return 0
}

func payload(octets int) []byte {
	p := make([]byte, octets)
	for i := range p {
		p[i] = byte(i*37 + octets)
	}
	return p
}

// walkBins sends a message for each bin that is still empty.
func (c *collector) walkBins() (err error) {
	w, err := newWalk(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.node.Close()) }()
	possible, _ := Bins(c.config)
	var plain, held []Message
	for _, m := range possible {
		switch {
		case c.bins.count[m] > 0:
		case m.Error == spec.IRDExceeded:
			held = append(held, m)
		default:
			plain = append(plain, m)
		}
	}
	for _, list := range [][]Message{plain, held} {
		for some := range slices.Chunk(list, w.config.streams) {
			w.hold = false
			if err := w.run(some); rnic.IsMismatch(err) {
				return &MismatchError{"a message of every bin", err.Error()}
			} else if err != nil {
				return err
			}
		}
	}
	return nil
}
