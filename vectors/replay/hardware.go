package replay

import (
	"fmt"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Device is a responder that can be driven; *cosim.DUT is one.
type Device interface {
	SetWindow(stag uint32, base uint64) error
	Setup(stream, msn uint32) error
	HostWrite(index int, data uint64) error
	HostRead(index int) error
	Send(stream uint32, segment []byte) error
	Run() error
	Reset() error

	// Each hands over what came since it was last called.
	Responses() []cosim.Segment
	Records() []rdmap.Record
	Payloads() []cosim.Segment
	HostAnswers() []uint64
	Retired() []rdmap.Retired
}

// Ports is what came out of hardware, each port for itself: between ports there is no order.
type Ports struct {
	Tx, Record, Payload, Answer, Retire []suite.Expect
	Memory                              []suite.MemoryWord
}

// Each calls f with each port and its outcomes.
func (p *Ports) Each(f func(port string, outcomes []suite.Expect)) {
	f(suite.PortTx, p.Tx)
	f(suite.PortRecord, p.Record)
	f(suite.PortPayload, p.Payload)
	f(suite.PortAnswer, p.Answer)
	f(suite.PortRetire, p.Retire)
}

// Hardware starts from the group's state and runs some of its tests in one go: a device is asked to settle as
// seldom as the inputs allow. The error is the device's, or says that an input is none.
func Hardware(d Device, g *suite.Group, tests []*suite.Test) (*Ports, error) {
	if err := setUp(d, g); err != nil {
		return nil, err
	}
	p := &Ports{}
	for _, t := range tests {
		for i, in := range t.Input {
			if err := take(d, in); err != nil {
				return nil, fmt.Errorf("tcId %d: input %d: %w", t.TcID, i, err)
			}
		}
	}
	if err := d.Run(); err != nil {
		return nil, err
	}
	p.collect(d)
	return p, p.readMemory(d, tests)
}

func setUp(d Device, g *suite.Group) error {
	r := g.Regions[0]
	if err := d.SetWindow(uint32(r.STag), uint64(r.Base)); err != nil {
		return err
	}
	for _, s := range g.Streams {
		if err := d.Setup(s.Stream, s.MSN); err != nil {
			return err
		}
	}
	for _, w := range r.Memory {
		if err := d.HostWrite(w.Index, uint64(w.Data)); err != nil {
			return err
		}
	}
	if err := d.Run(); err != nil {
		return err
	}
	var before Ports
	before.collect(d) // the answers to these writes, and what a test before left over
	return nil
}

// take queues a segment; any other input waits for what is before it, and is waited for.
func take(d Device, in suite.Input) error {
	if in.Port == suite.PortRx {
		return d.Send(in.Stream, in.Hex)
	}
	if err := d.Run(); err != nil {
		return err
	}
	if err := access(d, in); err != nil {
		return err
	}
	return d.Run()
}

func access(d Device, in suite.Input) error {
	switch in.Port {
	case suite.PortReset:
		return d.Reset()
	case suite.PortSetup:
		msn, err := decodeSetup(in)
		if err != nil {
			return err
		}
		return d.Setup(in.Stream, msn)
	case suite.PortHost:
		a, err := decodeHost(in)
		switch {
		case err != nil:
			return err
		case a.write:
			return d.HostWrite(a.index, a.data)
		}
		return d.HostRead(a.index)
	}
	return wrongPort(in.Port)
}

// collect takes everything that has come out.
func (p *Ports) collect(d Device) {
	for _, s := range d.Responses() {
		p.Tx = append(p.Tx, suite.Expect{Port: suite.PortTx, Stream: s.Stream, Hex: s.Octets})
	}
	for _, r := range d.Records() {
		record := FromRecord(r)
		p.Record = append(p.Record, suite.Expect{Port: suite.PortRecord, Stream: r.Stream, Record: &record})
	}
	for _, s := range d.Payloads() {
		p.Payload = append(p.Payload, suite.Expect{Port: suite.PortPayload, Stream: s.Stream, Hex: s.Octets})
	}
	for _, word := range d.HostAnswers() {
		p.Answer = append(p.Answer, suite.Expect{Port: suite.PortAnswer, Hex: wordOctets(word)})
	}
	for _, r := range d.Retired() {
		if !r.Host {
			retire := FromRetired(r)
			p.Retire = append(p.Retire, suite.Expect{Port: suite.PortRetire, Stream: r.Stream, Retire: &retire})
		}
	}
}

// readMemory reads the words of the tests, in their order.
func (p *Ports) readMemory(d Device, tests []*suite.Test) error {
	var at []suite.MemoryWord
	for _, t := range tests {
		at = append(at, t.Memory...)
	}
	for _, w := range at {
		if err := d.HostRead(w.Index); err != nil {
			return err
		}
	}
	if err := d.Run(); err != nil {
		return err
	}
	words := d.HostAnswers()
	if len(words) != len(at) {
		return fmt.Errorf("the host read %d words and had %d answers", len(at), len(words))
	}
	for i, w := range at {
		w.Data = suite.Hex64(words[i])
		p.Memory = append(p.Memory, w)
	}
	return nil
}
