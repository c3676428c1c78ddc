package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/gen/falcon"
)

// scoreStep is a packet of a weakly ordered QP: what it is, its RMSN and its offset.
type scoreStep struct {
	what         string // S, W, R or A for Send, Write, Read or Atomic; f, m, l, o for its position; i: with Immediate; r: refused
	rmsn, offset uint32
}

// part sends the packets, of 8 octets each, in the order of SN or backwards.
func (p *scorePeer) play(steps []scoreStep, backwards bool) {
	for i := range steps {
		if backwards {
			i = len(steps) - 1 - i
		}
		s := steps[i]
		a := p.blank()
		p.answer(&a, 1)
		a.Counts, a.SN = true, uint32(i+1)
		q := &a.Part
		q.Send, q.Write = s.what[0] == 'S', s.what[0] == 'W'
		q.Starts, q.Ends = s.what[1] == 'f' || s.what[1] == 'o', s.what[1] == 'l' || s.what[1] == 'o'
		for _, more := range s.what[2:] {
			q.Receives, q.Refused = q.Receives || more == 'i', q.Refused || more == 'r'
		}
		switch s.what[0] {
		case 'R':
			a.Kind, q.Pull = scorePull, true
		case 'A':
			p.waits(&a)
		}
		q.Receives = q.Receives || q.Send
		if q.RMSN, q.ID, q.Offset, q.Octets = s.rmsn, p.id(s.rmsn), s.offset, 8; q.Refused && q.Receives {
			q.Status = 2
		}
		p.send(a)
	}
}

// What is found in the order of SN: the statuses of the receives 1, 2 ... in complete-in-error mode, and in Verbs compatible mode, where it ends
// the QP, and nothing takes effect after a part that is refused: the end is on its way.
func TestFalconOrderFinds(t *testing.T) {
	const none, incomplete, rmsn, place = 0, falcon.FaultIncomplete, falcon.FaultRMSN, falcon.FaultPlace
	for _, c := range []struct {
		name         string
		steps        []scoreStep
		errors       []uint8 // complete in error
		verbs        []uint8
		fault, fatal int // in the two modes
	}{
		{"whole messages", []scoreStep{{"Sf", 1, 0}, {"Sm", 1, 8}, {"Sl", 1, 16}, {"Wf", 0, 0}, {"Wli", 2, 0}, {"So", 3, 0}}, []uint8{0, 0, 0}, []uint8{0, 0, 0}, none, none},
		{"starts twice", []scoreStep{{"Sf", 1, 0}, {"Sf", 1, 0}, {"Sl", 1, 8}, {"So", 2, 0}}, nil, nil, place, place},
		{"starts anew and ends", []scoreStep{{"Sf", 1, 0}, {"So", 1, 0}, {"So", 2, 0}}, nil, nil, place, place},
		{"a middle alone", []scoreStep{{"Sm", 1, 8}, {"Sl", 1, 16}, {"So", 2, 0}}, nil, nil, place, place},
		{"a last alone", []scoreStep{{"Sl", 1, 0}, {"So", 2, 0}}, nil, nil, place, place},
		{"another message", []scoreStep{{"Sf", 1, 0}, {"Sl", 2, 8}, {"So", 1, 0}}, nil, nil, rmsn, rmsn},
		{"a message is missing", []scoreStep{{"So", 1, 0}, {"So", 3, 0}, {"So", 2, 0}}, []uint8{0}, []uint8{0}, rmsn, rmsn},
		{"a message twice", []scoreStep{{"So", 1, 0}, {"So", 1, 0}, {"So", 2, 0}}, []uint8{0}, []uint8{0}, rmsn, rmsn},
		{"a Write goes on in a Send", []scoreStep{{"Sf", 1, 0}, {"Wl", 0, 0}, {"Sl", 1, 8}, {"So", 2, 0}}, nil, nil, place, place},
		{"a Write inside a Send", []scoreStep{{"Sf", 1, 0}, {"Wo", 0, 0}, {"So", 1, 0}, {"So", 2, 0}}, nil, nil, place, place},
		{"a Send inside a Write", []scoreStep{{"Wf", 0, 0}, {"So", 1, 0}, {"So", 2, 0}}, nil, nil, place, place},
		{"a Send goes on in a Write", []scoreStep{{"Wf", 0, 0}, {"Sl", 1, 0}, {"So", 2, 0}}, nil, nil, place, place},
		{"a Write without a start", []scoreStep{{"Wm", 0, 0}, {"Wli", 1, 0}, {"So", 2, 0}}, nil, nil, place, place},
		{"a Write without an end", []scoreStep{{"Wf", 0, 0}, {"Wf", 0, 0}, {"Wl", 0, 0}, {"So", 1, 0}, {"So", 2, 0}}, nil, nil, place, place},
		{"a Read between", []scoreStep{{"So", 1, 0}, {"Ro", 0, 0}, {"Wf", 0, 0}, {"Wl", 0, 0}, {"Ror", 0, 0}, {"So", 2, 0}}, []uint8{0, 0}, []uint8{0}, none, none},
		{"an Atomic between", []scoreStep{{"So", 1, 0}, {"Ao", 0, 0}, {"So", 2, 0}}, []uint8{0, 0}, []uint8{0, 0}, none, none},
		{"a Read inside a Send", []scoreStep{{"Sf", 1, 0}, {"Ro", 0, 0}, {"Sl", 1, 8}, {"So", 2, 0}}, nil, nil, place, place},
		{"a refused Read inside a Send", []scoreStep{{"So", 1, 0}, {"Sf", 2, 0}, {"Sm", 2, 8}, {"Ror", 0, 0}, {"Sl", 2, 16}}, []uint8{0}, []uint8{0}, place, place},
		{"a Read inside a Write", []scoreStep{{"Wf", 0, 0}, {"Ro", 0, 0}, {"Wl", 0, 0}, {"So", 1, 0}}, nil, nil, place, place},
		{"an Atomic inside a Send", []scoreStep{{"Sf", 1, 0}, {"Ao", 0, 0}, {"Sl", 1, 8}, {"So", 2, 0}}, nil, nil, place, place},
		{"an Atomic inside a Write", []scoreStep{{"So", 1, 0}, {"Wf", 0, 0}, {"Ao", 0, 0}, {"Wli", 2, 0}}, []uint8{0}, []uint8{0}, place, place},
		{"a Middle at another offset", []scoreStep{{"Sf", 1, 0}, {"Sm", 1, 16}, {"Sl", 1, 16}, {"So", 2, 0}}, []uint8{3, 0}, []uint8{3}, none, incomplete},
		{"octets are missing", []scoreStep{{"Sf", 1, 0}, {"Sl", 1, 16}, {"So", 2, 0}}, []uint8{3, 0}, []uint8{3}, none, incomplete},
		{"too many octets", []scoreStep{{"Sf", 1, 0}, {"Sm", 1, 8}, {"Sl", 1, 8}, {"So", 2, 0}}, []uint8{3, 0}, []uint8{3}, none, incomplete},
		{"missing after an error", []scoreStep{{"Sfr", 1, 0}, {"Sl", 1, 64}, {"So", 2, 0}}, []uint8{2, 0}, nil, none, none},
		{"refused in a Write", []scoreStep{{"Wf", 0, 0}, {"Wmr", 0, 0}, {"Wli", 1, 0}, {"Woi", 2, 0}}, []uint8{4, 0}, nil, none, none},
		{"the start of a Write is refused", []scoreStep{{"Wfr", 0, 0}, {"Wl", 0, 0}, {"So", 1, 0}, {"Wf", 0, 0}, {"Wli", 2, 0}}, []uint8{0, 0}, nil, none, none},
		{"refused, and a Send between", []scoreStep{{"Wf", 0, 0}, {"Wmr", 0, 0}, {"So", 1, 0}, {"Wli", 2, 0}, {"So", 3, 0}}, nil, nil, place, none},
	} {
		for i := range 4 {
			verbs, backwards := i&1 == 1, i&2 != 0
			t.Run(fmt.Sprint(c.name, verbs, backwards), func(t *testing.T) {
				b, peers := openScores(t, scoreRun{streams: 2, window: 8, ird: 1, depth: 8}, scoreWeak, verbs)
				want, fault := c.errors, c.fault
				if verbs {
					want, fault = c.verbs, c.fatal
				}
				var got []uint8
				b.delivers = func(d scoreDelivery) {
					if d.Kind&scoreReceive != 0 {
						got = append(got, d.Received.Status)
						assert.Equal(t, peers[0].id(uint32(len(got))), d.ID)
					}
				}
				faults := 0
				onBeat(b.rig, "failed", func(f scoreFailure) {
					faults += f.Fault
					b.failed(f)
				})
				peers[0].play(c.steps, backwards)
				b.end()
				assert.Equal(t, want, got)
				assert.Equal(t, fault, faults)
			})
		}
	}
}

// A QP is opened again while its Atomics wait or have been released: every slot is free at once.
func TestFalconOrderAtomicsOfTwoLives(t *testing.T) {
	for _, ird := range []int{1, 2, 4, 32} {
		for done := range ird + 1 {
			b, peers := openScores(t, scoreRun{streams: 2, window: 64, ird: ird, depth: 8}, scoreWeak, true)
			p := peers[0]
			atomics := func(from, n int) {
				for i := range n {
					a := p.blank()
					p.answer(&a, 1)
					p.waits(&a)
					a.SN = uint32(from + i)
					p.send(a)
				}
			}
			for life := range 4 {
				atomics(2, done)
				p.send(p.only(1, 1))
				b.rest(30)
				atomics(done+3, ird) // wait for ever
				if life%2 == 0 {
					b.rest(30)
				}
				p.open(scoreWeak, true)
				atomics(2, ird)
				p.send(p.only(1, 1))
				b.end()
				p.open(scoreWeak, true)
			}
		}
	}
}
