package cosim

import (
	"fmt"
	"slices"
)

// lane compares what came out of one stream with what the model expects there, beat by beat. Either side may be ahead.
type lane struct {
	name     string
	words    int // a beat
	describe func(w []uint64) string
	actual   backlog
	expected backlog
	beats    uint64 // compared so far
}

// backlog is a queue of packed beats.
type backlog struct {
	words []uint64
	head  int
}

func (b *backlog) push(w ...uint64) { b.words = append(b.words, w...) }

func (b *backlog) rest() []uint64 { return b.words[b.head:] }

func (b *backlog) drop(n int) {
	b.head += n
	if b.head == len(b.words) {
		b.words, b.head = b.words[:0], 0
	} else if b.head > 1<<16 {
		b.words = b.words[:copy(b.words, b.words[b.head:])]
		b.head = 0
	}
}

// compare takes all beats of which both sides are there. It returns the first that differs.
func (l *lane) compare() error {
	n := min(len(l.actual.rest()), len(l.expected.rest()))
	a, e := l.actual.rest()[:n], l.expected.rest()[:n]
	if slices.Equal(a, e) {
		l.actual.drop(n)
		l.expected.drop(n)
		l.beats += uint64(n / l.words)
		return nil
	}
	for i := 0; i < n; i += l.words {
		if x, y := a[i:i+l.words], e[i:i+l.words]; !slices.Equal(x, y) {
			return &Mismatch{Stream: l.name, Beat: l.beats + uint64(i/l.words), RTL: l.describe(x), Model: l.describe(y)}
		}
	}
	return nil
}

// take compares beats that came out. Only those whose counterparts are not there yet are kept.
func (l *lane) take(beats []uint64) error {
	if len(l.actual.rest()) == 0 {
		n := min(len(beats), len(l.expected.rest()))
		if slices.Equal(beats[:n], l.expected.rest()[:n]) {
			l.expected.drop(n)
			l.beats += uint64(n / l.words)
			beats = beats[n:]
		}
	}
	l.actual.push(beats...)
	return l.compare()
}

// finish reports a beat that only one side has.
func (l *lane) finish() error {
	if err := l.compare(); err != nil {
		return err
	}
	if rest := l.actual.rest(); len(rest) > 0 {
		return &Mismatch{Stream: l.name, Beat: l.beats, RTL: l.describe(rest[:l.words]), Model: "nothing"}
	}
	if rest := l.expected.rest(); len(rest) > 0 {
		return &Mismatch{Stream: l.name, Beat: l.beats, RTL: "nothing", Model: l.describe(rest[:l.words])}
	}
	return nil
}

// Mismatch is the first event in which the hardware and the model differ.
type Mismatch struct {
	Stream   string // the stream of the top module
	Beat     uint64 // beats of that stream before it
	Messages uint64 // segments that the model had taken
	RTL      string
	Model    string
}

func (m *Mismatch) Error() string {
	return fmt.Sprintf("%s, beat %d, after %d messages:\n  rtl:   %s\n  model: %s", m.Stream, m.Beat, m.Messages, m.RTL, m.Model)
}

// Describers for the lanes of rnic_atomics.

func (b *beats) describe(w []uint64) string {
	n, ok := b.octets(w)
	text := fmt.Sprintf("stream %d, %d octets %x", b.streamOf(w), n, b.data(nil, w, n))
	if b.isLast(w) {
		text += ", last"
	}
	if !ok {
		text += ", tkeep has a gap"
	}
	if !b.clean(w, n) {
		text += ", octets behind the end are not zero"
	}
	return text
}

func (p *recordPack) describe(w []uint64) string {
	r := p.record(w)
	return fmt.Sprintf("record of stream %d: error %s, Terminate %d/%d/0x%02X, segment %d, payload %d octets, header %x",
		r.Stream, r.Error, r.Term.Layer, r.Term.EType, r.Term.Code, r.SegmentLength, r.PayloadLength, r.Header)
}

func (p *retirePack) describe(w []uint64) string {
	r := p.unpack(w)
	who := fmt.Sprintf("stream %d", r.Stream)
	if r.Host {
		who = "host"
	}
	return fmt.Sprintf("%s, opcode %d, word %d: 0x%016x -> 0x%016x", who, r.Opcode, r.Index, r.Original, r.Result)
}

func describeAnswer(w []uint64) string { return fmt.Sprintf("host answer 0x%016x", w[0]) }
