package gen_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Pulls have the number of the life in which they are accepted, whenever that is: their credits count in the same one.
func TestFalconCheckPullsBehindOpening(t *testing.T) {
	b := openCheck(t, checkConfig(), 1)
	b.begin(checkRegions())
	b.settle()
	b.rig.look = func() {}
	var got []checkArrival
	onBeat(b.rig, "arrival", func(a checkArrival) { got = append(got, a) })
	p := b.alone(model.QPConfig{Errors: spec.CompleteInError})
	p.only = []spec.Kind{spec.Read}
	fresh := p.state
	beat := setupBeat{}
	beat.QP.Type, beat.QP.Ordering, beat.QP.Errors, beat.QP.CID = p.q.Type, p.q.Ordering, p.q.Errors, p.q.CID
	send(b.rig, "setup", beat)
	b.rest(40)
	both := 0
	for wait := range 60 {
		send(b.rig, "opening", openingBeat{})
		b.rest(60)
		got = nil
		send(b.rig, "opening", openingBeat{Open: true, Domain: checkDomain})
		for range wait {
			b.step()
		}
		p.state = fresh
		for rsn := range uint32(2) {
			p.packet(rsn)
			b.rest(60)
		}
		var numbers []int
		for _, a := range got {
			if a.Opens || a.Answer.Reply == spec.Ack {
				numbers = append(numbers, a.Request.Number)
			}
		}
		for _, n := range numbers {
			assert.Equal(t, numbers[0], n, "%d cycles behind the opening", wait)
		}
		if len(numbers) == 3 {
			both++
		}
	}
	assert.Greater(t, both, 20)
}

// What is reported of messages of an earlier life arrives late: it makes no room for messages, and uses no receives, also if another QP has a report in each cycle
// while the opening takes effect.
func TestFalconCheckReportsOfEarlierLives(t *testing.T) {
	for o := spec.Weak; o <= spec.Unordered; o++ {
		b := openCheck(t, checkConfig(), 1)
		p := b.sharing(o, spec.CompleteInError, 4)[0]
		own := b.alone(model.QPConfig{Number: 2, CID: 2})
		b.know(own.q)
		b.messages = append(b.messages, newCheckMessages(own.q))
		b.lost[0], b.lost[2] = true, true
		arrive := func(n uint32) spec.Rule {
			p.state = checkNumbers{sn: 1, rmsn: n, kind: spec.Send, parts: 1, first: 1}
			p.packet(n)
			b.settle()
			return spec.Rule(b.arrivals[len(b.arrivals)-1].Rule)
		}
		var refused int
		b.rig.look = func() {
			if b.look(); b.took("refused") {
				refused++
			}
		}
		for i, early := range []int{0, 1, 2, 30, 60, 0, 1, 2, 30, 60} {
			var beside []overReport
			if i >= 5 {
				beside = slices.Repeat([]overReport{{1, b.life[1], 0}}, 100)
			}
			for _, q := range []model.QPConfig{p.q, own.q} {
				b.held = false
				b.tellOver(int(q.Number), 3)
				b.settle()
				stale := overReport{int(q.Number), b.life[int(q.Number)], 3}
				b.close(int(q.Number))
				b.open(q, checkDomain, func() {
					for range early {
						b.clock()
					}
					b.reports = append(append(b.reports, stale), beside...)
					for range 1 + len(beside) {
						b.clock()
					}
					b.held = true // that of the opening is last
				})
				b.reports, b.held = append([]overReport{stale}, b.reports...), false
				b.clock()
				b.held = true
			}
			assert.Equal(t, spec.NoReceive, arrive(5), "%d", early)
			for i := range b.c.ReceiveDepth {
				send(b.rig, "post", listPostBeat{2, uint64(100 + i), checkKey(1), checkVA + checkReceive, 1 << 10, false})
			}
			b.settle()
			require.Zero(t, refused)
			send(b.rig, "post", listPostBeat{2, 200, checkKey(1), checkVA + checkReceive, 1 << 10, false})
			b.settle()
			require.Equal(t, 1, refused, "the ring is full")
			refused, b.held = 0, false
		}
	}
}

// On a queue of its own, too, a message arrives again that is 256 ahead of one that is not over, though there is a receive for it.
func TestFalconCheckWindowOfOwnReceives(t *testing.T) {
	c := checkConfig()
	c.ReceiveDepth = 2 * spec.MessageWindow
	b := openCheck(t, c, 1)
	b.begin(checkRegions())
	b.close(0)
	p := b.alone(model.QPConfig{Ordering: spec.Unordered, Errors: spec.CompleteInError})
	p.only, p.plain = []spec.Kind{spec.Send}, true
	b.messages = []*checkMessages{newCheckMessages(p.q)}
	b.qp(p.q, checkDomain)
	for i := range c.ReceiveDepth {
		send(b.rig, "post", listPostBeat{0, uint64(i + 1), checkKey(1), checkVA + checkReceive, 1 << 10, false})
	}
	b.settle()
	b.lost[0] = true // the model has no limit
	arrive := func(n uint32) spec.Rule {
		p.state = checkNumbers{sn: n, rmsn: n, kind: spec.Send, parts: 1, first: 1}
		p.packet(n)
		b.settle()
		return spec.Rule(b.arrivals[len(b.arrivals)-1].Rule)
	}
	assert.Equal(t, spec.NoReceive, arrive(spec.MessageWindow+1))
	assert.Equal(t, spec.None, arrive(spec.MessageWindow))
	b.tellOver(0, 1)
	b.settle()
	assert.Equal(t, spec.None, arrive(spec.MessageWindow+1))
	assert.Equal(t, spec.NoReceive, arrive(spec.MessageWindow+2))
}

// An opening waits while receives of its QP are flushed, also right after that of another one.
func TestFalconCheckOpeningWaits(t *testing.T) {
	b := openCheck(t, checkConfig(), 1)
	b.begin(checkRegions())
	b.settle()
	opened := 0
	onBeat(b.rig, "arrival", func(a checkArrival) { opened++ })
	asked := uint64(0)
	b.rig.look = func() { // the answer arrives a cycle later
		b.inputs["flush_goes"].Set(bitOf(asked == 2))
		s := b.signal("flush_stream")
		asked = s.Get()
	}
	send(b.rig, "opening", openingBeat{Stream: 1, Open: true, Domain: checkDomain})
	send(b.rig, "opening", openingBeat{Stream: 2, Open: true, Domain: checkDomain})
	for range 400 {
		b.step()
	}
	assert.Equal(t, 1, opened)
	b.rig.look = func() { b.inputs["flush_goes"].Set(0) }
	b.rest(100)
	assert.Equal(t, 2, opened)
}
