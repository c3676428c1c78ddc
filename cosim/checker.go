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

	segments []span // not yet taken by the model, oldest first
	octets   []byte // what they point into
	accesses []access
	unknown  bool   // see batch
	messages uint64 // taken by the model
}

func newChecker(c gen.Config, p *ports, stag uint32, base uint64) (*checker, error) {
	model, err := rdmap.New(rdmap.Config{Streams: c.Streams, WindowWords: c.WindowWords, WindowSTag: stag, WindowBase: base, Draft00: c.Draft00()})
	if err != nil {
		return nil, err
	}
	k := &checker{model: model, ports: p,
		tx:      lane{name: "m_axis_tx", words: p.txBeats.words, describe: p.txBeats.describe},
		record:  lane{name: "m_record", words: p.recordPack.words, describe: p.recordPack.describe},
		payload: lane{name: "m_axis_payload", words: p.payloadBeats.words, describe: p.payloadBeats.describe},
		answer:  lane{name: "m_host", words: answerWords, describe: describeAnswer},
	}
	k.lanes = []*lane{&k.answer, &k.tx, &k.record, &k.payload}
	if p.retire >= 0 {
		k.retire = lane{name: "retire", words: p.retirePack.words, describe: p.retirePack.describe}
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
	k.accept(b)
	k.unknown = b.unknown
	k.tx.actual.push(b.tx)
	k.record.actual.push(b.record)
	k.payload.actual.push(b.payload)
	k.answer.actual.push(b.answer)
	k.retire.actual.push(b.retire)
	if err := k.follow(b.retire); err != nil {
		return k.at(err)
	}
	if b.flush {
		if err := k.remainder(); err != nil {
			return k.at(err)
		}
	}
	for _, l := range k.lanes {
		compare := l.compare
		if b.flush {
			compare = l.finish
		}
		if err := compare(); err != nil {
			return k.at(err)
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

// accept queues a batch's stimulus for the model.
func (k *checker) accept(b *batch) {
	if len(k.segments) == 0 {
		k.octets = k.octets[:0]
	} else if done := k.segments[0].start; done > 1<<18 {
		k.octets = k.octets[:copy(k.octets, k.octets[done:])]
		for i := range k.segments {
			k.segments[i].start -= done
			k.segments[i].end -= done
		}
	}
	shift := len(k.octets)
	k.octets = append(k.octets, b.octets...)
	for _, s := range b.segments {
		k.segments = append(k.segments, span{s.stream, s.start + shift, s.end + shift})
	}
	k.accesses = append(k.accesses, b.accesses...)
}

// follow steps the model once for each retire record: to the next request that it executes, or through the host's next
// access. All that the model says on the way is expected of the hardware.
func (k *checker) follow(retired []uint64) error {
	if k.ports.retire < 0 {
		return nil
	}
	taken := 0
	defer func() { k.segments = k.segments[:copy(k.segments, k.segments[taken:])] }()
	for w := k.ports.retirePack.words; len(retired) > 0; retired = retired[w:] {
		if k.ports.retirePack.isHost(retired[:w]) {
			if len(k.accesses) == 0 {
				return k.retire.compare()
			}
			if err := k.access(); err != nil {
				return err
			}
			continue
		}
		for executed := false; !executed; taken++ {
			if taken == len(k.segments) {
				return k.retire.finish()
			}
			var err error
			if executed, err = k.segment(k.segments[taken]); err != nil {
				return err
			}
		}
	}
	return nil
}

// remainder takes all that is left; the hardware is done with it.
func (k *checker) remainder() error {
	for _, s := range k.segments {
		if _, err := k.segment(s); err != nil {
			return err
		}
	}
	k.segments = k.segments[:0]
	for len(k.accesses) > 0 {
		if err := k.access(); err != nil {
			return err
		}
	}
	return nil
}

func (k *checker) access() error {
	a := k.accesses[0]
	k.accesses = k.accesses[:copy(k.accesses, k.accesses[1:])]
	if ahead := len(k.answer.expected.rest()); k.unknown && ahead < len(k.answer.actual.rest()) {
		// Memory holds anything after power-up: the model takes over what the hardware found there.
		if _, err := k.model.HostAccess(true, a.index, k.answer.actual.rest()[ahead]); err != nil {
			return fmt.Errorf("the model refuses an access: %w", err)
		}
	}
	r, err := k.model.HostAccess(a.write, a.index, a.data)
	if err != nil {
		return fmt.Errorf("the model refuses an access: %w", err)
	}
	k.answer.expected.push([]uint64{r.Original})
	k.retire.expected.words = k.ports.appendRetired(k.retire.expected.words, r)
	return nil
}

func (k *checker) segment(s span) (executed bool, err error) {
	segment := k.octets[s.start:s.end]
	o, err := k.model.Receive(s.stream, segment)
	if err != nil {
		return false, fmt.Errorf("the model refuses a segment: %w", err)
	}
	k.messages++
	if o.Executed {
		k.tx.expected.words = k.ports.txBeats.append(k.tx.expected.words, s.stream, o.Response)
		k.retire.expected.words = k.ports.appendRetired(k.retire.expected.words, o.Retired)
		return true, nil
	}
	k.record.expected.words = k.ports.recordPack.append(k.record.expected.words, &o.Record)
	if len(o.Payload) > 0 {
		k.payload.expected.words = k.ports.payloadBeats.append(k.payload.expected.words, s.stream, o.Payload)
	}
	return false, nil
}
