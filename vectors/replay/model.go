package replay

import (
	"fmt"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Model runs tests on the golden model.
type Model struct {
	config     gen.Config
	responders map[window]*rdmap.Responder // kept from test to test, since a test sets up all that it uses
}

type window struct {
	stag  uint32
	base  uint64
	words int
}

// NewModel makes a model of a configuration.
func NewModel(c gen.Config) *Model {
	return &Model{config: c, responders: map[window]*rdmap.Responder{}}
}

// run is a test being run.
type run struct {
	*rdmap.Responder
	model   *Model
	region  *suite.Region
	opened  map[uint32]bool // streams that the group, or a reset, has opened
	own     map[int]bool    // words of this test
	defined map[int]bool    // words that have a known value
	reset   bool
	out     []suite.Expect
}

// Run starts from the group's state, runs one test, and reads its words of memory. The error says that the
// test is not a test: it uses what its group does not define.
func (m *Model) Run(g *suite.Group, t *suite.Test) (Outcome, error) {
	r, err := m.start(g)
	if err != nil {
		return Outcome{}, err
	}
	for _, w := range t.Memory {
		r.own[w.Index] = true
	}
	for i, in := range t.Input {
		if err := r.take(i, in); err != nil {
			return Outcome{}, fmt.Errorf("tcId %d: input %d: %w", t.TcID, i, err)
		}
	}
	out := Outcome{Expect: r.out}
	for _, w := range t.Memory {
		word, err := r.HostAccess(false, w.Index, 0)
		if err == nil && !r.defined[w.Index] {
			err = fmt.Errorf("word %d is undefined", w.Index)
		}
		if err != nil {
			return Outcome{}, fmt.Errorf("tcId %d: memory: %w", t.TcID, err)
		}
		out.Memory = append(out.Memory, suite.MemoryWord{Region: suite.WindowName, Word: suite.Word{Index: w.Index, Data: suite.Hex64(word.Result)}})
	}
	return out, nil
}

func (m *Model) start(g *suite.Group) (*run, error) {
	if len(g.Regions) != 1 {
		return nil, fmt.Errorf("group has %d regions; allowed: 1", len(g.Regions))
	}
	r := &run{model: m, region: &g.Regions[0], opened: map[uint32]bool{}, own: map[int]bool{}, defined: map[int]bool{}}
	if err := r.responder(false); err != nil {
		return nil, err
	}
	for _, s := range g.Streams {
		if err := r.Setup(s.Stream, s.MSN); err != nil {
			return nil, err
		}
		r.opened[s.Stream] = true
	}
	for _, w := range r.region.Memory {
		if _, err := r.HostAccess(true, w.Index, uint64(w.Data)); err != nil {
			return nil, err
		}
		r.defined[w.Index] = true
	}
	return r, nil
}

// responder takes the responder of the window, or a new one.
func (r *run) responder(fresh bool) error {
	at := window{uint32(r.region.STag), uint64(r.region.Base), r.region.Words}
	if known := r.model.responders[at]; known != nil && !fresh {
		r.Responder = known
		return nil
	}
	c := r.model.config
	made, err := rdmap.New(rdmap.Config{Streams: c.Streams, WindowWords: at.words, WindowSTag: at.stag, WindowBase: at.base, Draft00: c.Draft00()})
	r.Responder, r.model.responders[at] = made, made
	return err
}

// take runs one input.
func (r *run) take(number int, in suite.Input) error {
	switch in.Port {
	case suite.PortRx:
		return r.segment(number, in)
	case suite.PortHost:
		a, err := decodeHost(in)
		if err != nil {
			return err
		}
		access, err := r.HostAccess(a.write, a.index, a.data)
		if err == nil {
			err = r.mine(a.index)
		}
		if err != nil {
			return err
		}
		answer := suite.Expect{Input: number, Port: suite.PortAnswer}
		if r.defined[a.index] {
			answer.Hex = wordOctets(access.Original)
		}
		r.defined[a.index] = r.defined[a.index] || a.write
		r.out = append(r.out, answer)
		return nil
	case suite.PortSetup:
		msn, err := decodeSetup(in)
		if err != nil {
			return err
		}
		r.opened[in.Stream] = true
		return r.Setup(in.Stream, msn)
	case suite.PortReset:
		r.reset, r.defined = true, map[int]bool{}
		return r.responder(true)
	}
	return wrongPort(in.Port)
}

// segment runs a segment: a response, or a record with its payload.
func (r *run) segment(number int, in suite.Input) error {
	if !r.reset && !r.opened[in.Stream] {
		return fmt.Errorf("stream is %d; allowed: the streams of its group", in.Stream)
	}
	o, err := r.Receive(in.Stream, in.Hex)
	if err != nil {
		return err
	}
	expect := func(e suite.Expect) {
		e.Input, e.Stream = number, in.Stream
		r.out = append(r.out, e)
	}
	if !o.Executed {
		record := FromRecord(o.Record)
		expect(suite.Expect{Port: suite.PortRecord, Record: &record})
		if len(o.Payload) > 0 {
			expect(suite.Expect{Port: suite.PortPayload, Hex: append(suite.Octets(nil), o.Payload...)})
		}
		return nil
	}
	if err := r.mine(o.Retired.Index); err != nil {
		return err
	}
	if !r.defined[o.Retired.Index] {
		return fmt.Errorf("word %d is changed while it is undefined", o.Retired.Index)
	}
	expect(suite.Expect{Port: suite.PortTx, Hex: append(suite.Octets(nil), o.Response...)})
	if r.model.config.RetirePort {
		retire := FromRetired(o.Retired)
		expect(suite.Expect{Port: suite.PortRetire, Retire: &retire})
	}
	return nil
}

// mine refuses a word that the test does not compare in the end: it may be another test's.
func (r *run) mine(index int) error {
	if !r.own[index] {
		return fmt.Errorf("word is %d; allowed: the words that the test has under memory", index)
	}
	return nil
}

// FromRecord writes a record as a file does. Octets behind the end of a segment are left out where they are
// zero, as they have to be.
func FromRecord(r rdmap.Record) suite.Record {
	n := min(r.SegmentLength, rdmap.HeaderOctets)
	for i := n; i < rdmap.HeaderOctets; i++ {
		if r.Header[i] != 0 {
			n = rdmap.HeaderOctets
		}
	}
	return suite.Record{
		Error: r.Error.String(), Code: int(r.Error),
		TermLayer: int(r.Term.Layer), TermEtype: int(r.Term.EType), TermCode: int(r.Term.Code),
		SegmentLength: r.SegmentLength, PayloadLength: r.PayloadLength,
		Header: append(suite.Octets{}, r.Header[:n]...),
	}
}

// FromRetired writes an executed access as a file does.
func FromRetired(r rdmap.Retired) suite.Retire {
	return suite.Retire{Opcode: int(r.Opcode), Index: r.Index, Original: suite.Hex64(r.Original), Result: suite.Hex64(r.Result)}
}
