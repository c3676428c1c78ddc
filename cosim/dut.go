package cosim

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/cosim/engine/engines"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap"
)

// Segment is a DDP segment, or the payload of one, on a stream.
type Segment struct {
	Stream uint32
	Octets []byte
}

// DUT is the generated responder on an engine. Send, Setup and the host's accesses are queued; Run lets the hardware work
// until nothing happens any more; the rest hands back what came out since it was last asked.
type DUT struct {
	config gen.Config
	design *engine.Design
	eng    engine.Engine
	ports  ports
	buf    []uint64

	tx, payload collector
	records     []rdmap.Record
	answers     []uint64
	retired     []rdmap.Retired
	stamps      []uint64 // of beats just taken out
	sent        []uint64 // clocks of the responses' first beats
	accepted    []uint64 // clocks of the beats of segments
}

// Open starts rnic_atomics of a configuration on an engine.
func Open(c gen.Config, engineName string, o engine.Options) (*DUT, error) {
	d, err := RNICAtomics(c)
	if err != nil {
		return nil, err
	}
	return OpenDesign(c, d, engineName, o)
}

// OpenDesign starts a design with the ports of rnic_atomics or of ddp_parser; tests give one that is broken.
func OpenDesign(c gen.Config, d *engine.Design, engineName string, o engine.Options) (*DUT, error) {
	eng, err := engines.Open(engineName, d, o)
	if err != nil {
		return nil, err
	}
	p, err := findPorts(d)
	if err != nil {
		return nil, errors.Join(err, eng.Close())
	}
	dut := &DUT{config: c, design: d, eng: eng, ports: p, buf: make([]uint64, 64*64)}
	if o.Stamps {
		dut.stamps = make([]uint64, len(dut.buf))
	}
	dut.tx.beats, dut.payload.beats = p.txBeats, p.payloadBeats
	return dut, nil
}

// Engine gives access to cycles, stalls and statistics.
func (d *DUT) Engine() engine.Engine { return d.eng }

// Stall holds every stream back in the same manner.
func (d *DUT) Stall(s engine.Stall) error {
	for i, st := range d.design.Streams {
		if st.Ready == "" {
			continue
		}
		if err := d.eng.SetStall(i, s); err != nil {
			return err
		}
	}
	return nil
}

// SetWindow names the memory window. Do it before the first segment.
func (d *DUT) SetWindow(stag uint32, base uint64) error {
	return errors.Join(d.eng.SetStatic("window_stag", uint64(stag)), d.eng.SetStatic("window_base", base))
}

// Setup opens a stream: no error, next response MSN msn. It takes effect at once with respect to what is sent after Run.
func (d *DUT) Setup(stream, msn uint32) error {
	return d.push(d.ports.setup, d.ports.appendSetup(nil, stream, msn), d.ports.setupWords)
}

// HostWrite stores a word; the word from before it comes as an answer.
func (d *DUT) HostWrite(index int, data uint64) error { return d.hostAccess(access{true, index, data}) }

// HostRead asks for a word; it comes as an answer.
func (d *DUT) HostRead(index int) error { return d.hostAccess(access{false, index, 0}) }

func (d *DUT) hostAccess(a access) error {
	if a.index < 0 || a.index >= d.config.WindowWords {
		return fmt.Errorf("host access: word %d; allowed: 0..%d", a.index, d.config.WindowWords-1)
	}
	return d.push(d.ports.host, d.ports.appendAccess(nil, a), d.ports.hostWords)
}

// Send queues a segment.
func (d *DUT) Send(stream uint32, segment []byte) error {
	if int(stream) >= d.config.Streams {
		return fmt.Errorf("send: stream %d; allowed: 0..%d", stream, d.config.Streams-1)
	}
	return d.push(d.ports.rx, d.ports.rxBeats.append(nil, stream, segment), d.ports.rxBeats.words)
}

// push queues beats, running the hardware while there is no room for them.
func (d *DUT) push(stream int, beats []uint64, words int) error {
	if stream < 0 {
		return fmt.Errorf("%s has no such input", d.design.Top)
	}
	for refused := 0; len(beats) > 0; {
		n, err := d.eng.Push(stream, beats)
		if err != nil {
			return err
		}
		beats = beats[n*words:]
		if n > 0 {
			refused = 0
			continue
		}
		if refused++; refused > 16 {
			return fmt.Errorf("%s: the input %s takes nothing any more", d.design.Top, d.design.Streams[stream].Name)
		}
		if err := d.step(); err != nil {
			return err
		}
	}
	return nil
}

const (
	batchCycles = 4096
	quietCycles = 64 // longer than any path through the pipeline
)

func (d *DUT) step() error {
	if _, err := d.eng.Run(batchCycles, d.quiet()); err != nil {
		return err
	}
	return d.drain()
}

// quiet is how long nothing happens before the hardware counts as idle: after a reset it first clears the state of
// every stream.
func (d *DUT) quiet() uint64 { return uint64(d.config.Streams) + quietCycles }

// Run lets the hardware work until it is idle. The error tells when it is stuck with something pending.
func (d *DUT) Run() error {
	for {
		r, err := d.eng.Run(1<<20, d.quiet())
		if err != nil {
			return err
		}
		if err := d.drain(); err != nil {
			return err
		}
		if r.Why == engine.Quiet {
			return nil
		}
	}
}

// Reset resets the hardware in whatever it is doing. Memory keeps its words.
func (d *DUT) Reset() error {
	if err := d.eng.Reset(4); err != nil {
		return err
	}
	if err := d.drain(); err != nil {
		return err
	}
	d.tx.abandon()
	d.payload.abandon()
	return nil
}

// Close ends the engine.
func (d *DUT) Close() error { return d.eng.Close() }

// Responses hands over the segments that were sent.
func (d *DUT) Responses() []Segment { return d.tx.take() }

// Payloads hands over the payload packets.
func (d *DUT) Payloads() []Segment { return d.payload.take() }

// Records hands over the records.
func (d *DUT) Records() []rdmap.Record { return taken(&d.records) }

// HostAnswers hands over the words from before each host access.
func (d *DUT) HostAnswers() []uint64 { return taken(&d.answers) }

// Retired hands over the executed accesses; none without the retire port.
func (d *DUT) Retired() []rdmap.Retired { return taken(&d.retired) }

func taken[T any](list *[]T) []T {
	out := *list
	*list = nil
	return out
}

// Stats counts the traffic of a stream.
func (d *DUT) Stats(stream string) engine.Stats {
	i, err := d.design.Stream(stream)
	if err != nil {
		return engine.Stats{}
	}
	return d.eng.Stats(i)
}

// RequestStamps hands over the clocks in which the beats of segments were accepted. It needs engine.Options.Stamps.
func (d *DUT) RequestStamps() []uint64 { return taken(&d.accepted) }

// ResponseStamps hands over the clock of each response's first beat. It needs engine.Options.Stamps.
func (d *DUT) ResponseStamps() []uint64 { return taken(&d.sent) }

// drain takes everything out of the engine's buffers.
func (d *DUT) drain() error {
	p := &d.ports
	each := func(stream, words int, f func(w []uint64) error) error {
		if stream < 0 {
			return nil
		}
		for {
			n, err := d.eng.Pop(stream, d.buf[:len(d.buf)/words*words], d.stamps)
			if err != nil || n == 0 {
				return err
			}
			for i := range n {
				if stream == p.tx && d.stamps != nil && !d.tx.busy {
					d.sent = append(d.sent, d.stamps[i])
				}
				if err := f(d.buf[i*words : (i+1)*words]); err != nil {
					return err
				}
			}
		}
	}
	return errors.Join(
		d.drainStamps(),
		each(p.tx, p.txBeats.words, d.tx.add),
		each(p.payload, p.payloadBeats.words, d.payload.add),
		each(p.record, p.recordPack.words, func(w []uint64) error {
			d.records = append(d.records, p.recordPack.record(w))
			return nil
		}),
		each(p.answer, answerWords, func(w []uint64) error { d.answers = append(d.answers, w[0]); return nil }),
		each(p.retire, p.retirePack.words, func(w []uint64) error {
			d.retired = append(d.retired, p.retirePack.unpack(w))
			return nil
		}),
	)
}

// drainStamps takes the clocks of all sinks' beats: a beat's room is free when its stamp is taken.
func (d *DUT) drainStamps() error {
	if d.stamps == nil {
		return nil
	}
	for i, s := range d.design.Streams {
		for s.Dir == engine.Sink {
			n, err := d.eng.Accepted(i, d.stamps)
			if err != nil {
				return err
			}
			if n == 0 {
				break
			}
			if i == d.ports.rx {
				d.accepted = append(d.accepted, d.stamps[:n]...)
			}
		}
	}
	return nil
}

// collector joins beats to packets.
type collector struct {
	beats beats
	open  Segment
	busy  bool
	done  []Segment
}

func (c *collector) add(w []uint64) error {
	n, ok := c.beats.octets(w)
	switch {
	case !ok:
		return fmt.Errorf("a beat has a gap in tkeep, or is not full and not the last: %x", w)
	case !c.beats.clean(w, n):
		return fmt.Errorf("a beat has octets behind its end that are not zero: %x", w)
	case c.busy && c.open.Stream != c.beats.streamOf(w):
		return fmt.Errorf("tuser changes inside a packet from %d to %d", c.open.Stream, c.beats.streamOf(w))
	}
	c.open.Stream, c.busy = c.beats.streamOf(w), true
	c.open.Octets = c.beats.data(c.open.Octets, w, n)
	if c.beats.isLast(w) {
		c.done = append(c.done, c.open)
		c.abandon()
	}
	return nil
}

func (c *collector) abandon() { c.open, c.busy = Segment{}, false }

func (c *collector) take() []Segment { return taken(&c.done) }
