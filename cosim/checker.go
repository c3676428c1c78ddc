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
	model *rdmap.Responder
	ports *ports
	lanes [lanes]lane

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
	k := &checker{model: model, ports: p}
	k.lanes = [lanes]lane{
		laneRetire:  {name: "retire", words: max(p.retirePack.words, 1), describe: p.retirePack.describe},
		laneAnswer:  {name: "m_host", words: answerWords, describe: describeAnswer},
		laneTx:      {name: "m_axis_tx", words: p.txBeats.words, describe: p.txBeats.describe},
		laneRecord:  {name: "m_record", words: p.recordPack.words, describe: p.recordPack.describe},
		lanePayload: {name: "m_axis_payload", words: p.payloadBeats.words, describe: p.payloadBeats.describe},
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
	k.found = b.out[laneAnswer].beats
	if err := k.follow(b.out[laneRetire].beats); err != nil {
		return k.at(err)
	}
	if b.flush {
		if err := k.remainder(); err != nil {
			return k.at(err)
		}
	}
	for i := range k.lanes {
		l := &k.lanes[i]
		if err := l.take(b.out[i].beats); err != nil {
			return k.at(err)
		}
		if b.flush {
			if err := l.finish(); err != nil {
				return k.at(err)
			}
		}
	}
	k.release()
	if len(k.waiting) == inFlight {
		return k.at(k.starved())
	}
	return nil
}

// starved is for hardware that has executed nothing in all the batches there are: it will not, and the next request that
// the model executes tells.
func (k *checker) starved() error {
	if err := k.allSegments(); err != nil {
		return err
	}
	for i := range k.lanes {
		if err := k.lanes[i].finish(); err != nil {
			return err
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
	if found, is := k.answered(len(k.lanes[laneAnswer].expected.rest())); is && k.unknown {
		// Memory holds anything after power-up: the model takes over what the hardware found there.
		if _, err := k.model.HostAccess(true, a.index, found); err != nil {
			return fmt.Errorf("the model refuses an access: %w", err)
		}
	}
	r, err := k.model.HostAccess(a.write, a.index, a.data)
	if err != nil {
		return fmt.Errorf("the model refuses an access: %w", err)
	}
	k.lanes[laneAnswer].expected.push(r.Original)
	k.lanes[laneRetire].expected.words = k.ports.appendRetired(k.lanes[laneRetire].expected.words, r)
	return nil
}

// answered is the n-th host answer that is not compared yet.
func (k *checker) answered(n int) (word uint64, is bool) {
	kept := k.lanes[laneAnswer].actual.rest()
	switch {
	case n < len(kept):
		return kept[n], true
	case n-len(kept) < len(k.found):
		return k.found[n-len(kept)], true
	}
	return 0, false
}

// release gives back the batches whose segments are all taken.
func (k *checker) release() {
	for len(k.waiting) > 0 && k.taken == len(k.waiting[0].segments) {
		k.done = append(k.done, k.waiting[0])
		k.waiting, k.taken = k.waiting[:copy(k.waiting, k.waiting[1:])], 0
	}
}

// segment gives the next segment to the model; more is false when there is none.
func (k *checker) segment() (executed, more bool, err error) {
	k.release()
	if len(k.waiting) == 0 {
		return false, false, nil
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
		k.lanes[laneTx].expected.words = k.ports.txBeats.append(k.lanes[laneTx].expected.words, s.stream, o.Response)
		k.lanes[laneRetire].expected.words = k.ports.appendRetired(k.lanes[laneRetire].expected.words, o.Retired)
		return true, true, nil
	}
	k.lanes[laneRecord].expected.words = k.ports.recordPack.append(k.lanes[laneRecord].expected.words, &o.Record)
	if len(o.Payload) > 0 {
		k.lanes[lanePayload].expected.words = k.ports.payloadBeats.append(k.lanes[lanePayload].expected.words, s.stream, o.Payload)
	}
	return false, true, nil
}
