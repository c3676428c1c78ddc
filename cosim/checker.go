package cosim

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap"
)

// checker runs the golden model behind the hardware. Where the hardware is free, which is how accesses of the host fall
// between the requests, the model follows the retire port; without one, accesses happen only while nothing else does.
type checker struct {
	model                               *rdmap.Responder
	ports                               *ports
	tx, record, payload, answer, retire lane
	lanes                               []*lane

	waiting  []*batch // with segments that the model has not taken, oldest first
	taken    int      // of the segments of the first of them
	done     []*batch // whose segments are all taken: they can be used again
	accesses []access
	unknown  bool     // see batch
	found    []uint64 // the host's answers in the batch at hand
	messages uint64   // taken by the model
}

func newChecker(c gen.Config, p *ports, stag uint32, base uint64) (*checker, error) {
	model, err := rdmap.New(rdmap.Config{Streams: c.Streams, WindowWords: c.WindowWords, WindowSTag: stag, WindowBase: base, Draft00: c.Draft00()})
	if err != nil {
		return nil, err
	}
	k := &checker{model: model, ports: p,
		tx:      lane{name: "m_axis_tx", of: func(b *batch) []uint64 { return b.tx }, words: p.txBeats.words, describe: p.txBeats.describe},
		record:  lane{name: "m_record", of: func(b *batch) []uint64 { return b.record }, words: p.recordPack.words, describe: p.recordPack.describe},
		payload: lane{name: "m_axis_payload", of: func(b *batch) []uint64 { return b.payload }, words: p.payloadBeats.words, describe: p.payloadBeats.describe},
		answer:  lane{name: "m_host", of: func(b *batch) []uint64 { return b.answer }, words: answerWords, describe: describeAnswer},
	}
	k.lanes = []*lane{&k.answer, &k.tx, &k.record, &k.payload}
	if p.retire >= 0 {
		k.retire = lane{name: "retire", of: func(b *batch) []uint64 { return b.retire }, words: p.retirePack.words, describe: p.retirePack.describe}
		k.lanes = append([]*lane{&k.retire}, k.lanes...) // the cause before its consequences
	}
	return k, nil
}

// check takes a batch whose simulation is over.
func (k *checker) check(b *batch) error {
	for _, s := range b.setups {
		if err := k.model.Setup(s.stream, s.msn); err != nil {
			return err
		}
	}
	k.waiting = append(k.waiting, b)
	k.accesses = append(k.accesses, b.accesses...)
	k.unknown = b.unknown
	k.found = b.answer
	if err := k.follow(b.retire); err != nil {
		return k.at(err)
	}
	if b.flush {
		if err := k.remainder(); err != nil {
			return k.at(err)
		}
	}
	for _, l := range k.lanes {
		if err := l.take(l.of(b)); err != nil {
			return k.at(err)
		}
		if b.flush {
			if err := l.finish(); err != nil {
				return k.at(err)
			}
		}
	}
	return nil
}

// at adds to a mismatch how far the model had come.
func (k *checker) at(err error) error {
	var m *Mismatch
	if errors.As(err, &m) {
		m.Messages = k.messages
	}
	return err
}

// follow steps the model once for each retire record: to the next request that it executes, or through the host's next
// access. All that the model says on the way is expected of the hardware.
func (k *checker) follow(retired []uint64) error {
	if k.ports.retire < 0 {
		return k.allSegments() // nothing of the host's comes between them
	}
	for w := k.ports.retirePack.words; len(retired) > 0; retired = retired[w:] {
		if k.ports.retirePack.isHost(retired[:w]) {
			if len(k.accesses) == 0 {
				return nil // its lane tells
			}
			if err := k.access(); err != nil {
				return err
			}
			continue
		}
		for executed := false; !executed; {
			more, err := false, error(nil)
			if executed, more, err = k.segment(); err != nil || !more {
				return err // its lane tells
			}
		}
	}
	return nil
}

// remainder takes all that is left; the hardware is done with it.
func (k *checker) remainder() error {
	if err := k.allSegments(); err != nil {
		return err
	}
	for len(k.accesses) > 0 {
		if err := k.access(); err != nil {
			return err
		}
	}
	return nil
}

func (k *checker) allSegments() error {
	for more := true; more; {
		var err error
		if _, more, err = k.segment(); err != nil {
			return err
		}
	}
	return nil
}

func (k *checker) access() error {
	a := k.accesses[0]
	k.accesses = k.accesses[:copy(k.accesses, k.accesses[1:])]
	if found, is := k.answered(len(k.answer.expected.rest())); is && k.unknown {
		// Memory holds anything after power-up: the model takes over what the hardware found there.
		if _, err := k.model.HostAccess(true, a.index, found); err != nil {
			return fmt.Errorf("the model refuses an access: %w", err)
		}
	}
	r, err := k.model.HostAccess(a.write, a.index, a.data)
	if err != nil {
		return fmt.Errorf("the model refuses an access: %w", err)
	}
	k.answer.expected.push(r.Original)
	k.retire.expected.words = k.ports.appendRetired(k.retire.expected.words, r)
	return nil
}

// answered is the n-th host answer that is not compared yet.
func (k *checker) answered(n int) (word uint64, is bool) {
	kept := k.answer.actual.rest()
	switch {
	case n < len(kept):
		return kept[n], true
	case n-len(kept) < len(k.found):
		return k.found[n-len(kept)], true
	}
	return 0, false
}

// segment gives the next segment to the model; more is false when there is none.
func (k *checker) segment() (executed, more bool, err error) {
	for {
		if len(k.waiting) == 0 {
			return false, false, nil
		}
		if b := k.waiting[0]; k.taken < len(b.segments) {
			break
		}
		k.done = append(k.done, k.waiting[0])
		k.waiting, k.taken = k.waiting[:copy(k.waiting, k.waiting[1:])], 0
	}
	b := k.waiting[0]
	s := b.segments[k.taken]
	k.taken++
	o, err := k.model.Receive(s.stream, b.octets[s.start:s.end])
	if err != nil {
		return false, true, fmt.Errorf("the model refuses a segment: %w", err)
	}
	k.messages++
	if o.Executed {
		k.tx.expected.words = k.ports.txBeats.append(k.tx.expected.words, s.stream, o.Response)
		k.retire.expected.words = k.ports.appendRetired(k.retire.expected.words, o.Retired)
		return true, true, nil
	}
	k.record.expected.words = k.ports.recordPack.append(k.record.expected.words, &o.Record)
	if len(o.Payload) > 0 {
		k.payload.expected.words = k.ports.payloadBeats.append(k.payload.expected.words, s.stream, o.Payload)
	}
	return false, true, nil
}
