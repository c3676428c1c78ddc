package gen_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/atomic"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

type windowAccess struct {
	Host                             bool
	Stream, Msn, Identifier          uint32
	Index                            int
	Opcode                           wire.AOpCode
	Data, Mask, Compare, CompareMask uint64
}

type windowReply struct {
	Stream, Msn, Identifier uint32
	Original                uint64
}

type hostAnswer struct{ Data uint64 }

func windowConfig() gen.Config {
	return gen.Config{Top: gen.TopAtomics, Profile: "rdmap", Extensions: []string{"draft00"}, BusBytes: 8, Streams: 4, WindowWords: 8, RetirePort: true}
}

func hostRead(index int) windowAccess {
	return windowAccess{Host: true, Index: index, Opcode: gen.HostRead}
}

func hostWrite(index int, data uint64) windowAccess {
	return windowAccess{Host: true, Index: index, Opcode: gen.HostWrite, Data: data}
}

// words is the reference: a memory, and what each access answers.
type words map[int]uint64

func (w words) access(a windowAccess) rdmap.Retired {
	r := rdmap.Retired{Host: a.Host, Stream: a.Stream, Opcode: uint8(a.Opcode), Index: a.Index, Original: w[a.Index]}
	switch {
	case !a.Host:
		w[a.Index] = atomic.Execute(a.Opcode, w[a.Index], a.Data, a.Mask, a.Compare, a.CompareMask)
	case a.Opcode == gen.HostWrite:
		w[a.Index] = a.Data
	}
	r.Result = w[a.Index]
	return r
}

// windowRun is what goes in and what must come out.
type windowRun struct {
	accesses []windowAccess
	replies  []windowReply
	answers  []hostAnswer
	retired  []rdmap.Retired
}

func (run *windowRun) add(w words, a windowAccess) {
	r := w.access(a)
	run.accesses, run.retired = append(run.accesses, a), append(run.retired, r)
	if a.Host {
		run.answers = append(run.answers, hostAnswer{r.Original})
	} else {
		run.replies = append(run.replies, windowReply{a.Stream, a.Msn, a.Identifier, r.Original})
	}
}

func (run *windowRun) check(t *testing.T, idle, pressure engine.Stall) *bench {
	b := open(t, gen.AtomicWindow(windowConfig()), "retire")
	for i := range windowConfig().WindowWords {
		push(b, "req", hostWrite(i, 0))
	}
	b.run()
	b.reset() // memory keeps its words
	b.stall(idle, pressure)
	push(b, "req", run.accesses...)
	b.run()
	same(t, run.replies, take[windowReply](b, "reply"))
	same(t, run.answers, take[hostAnswer](b, "host"))
	same(t, run.retired, take[rdmap.Retired](b, "retire"))
	return b
}

// randomAccesses hit few words, so that most accesses follow one of the same word within a few clocks. What the
// host does not use is noise.
func randomAccesses(seed uint64, n, distinct int) *windowRun {
	r, w, run := random(seed), words{}, &windowRun{}
	for range n {
		a := windowAccess{Host: r.IntN(4) == 0, Stream: r.Uint32N(4), Msn: r.Uint32(), Identifier: r.Uint32(), Index: r.IntN(distinct),
			Opcode: wire.AOpCode(r.IntN(3)), Data: operand(r), Mask: operand(r), Compare: operand(r), CompareMask: operand(r)}
		switch {
		case a.Host:
			a.Opcode = wire.AOpCode(r.IntN(2))
		case r.IntN(2) == 0: // often equal
			a.Compare = w[a.Index]
		}
		run.add(w, a)
	}
	return run
}

// The words before and after each access, in order of the accesses, whoever makes them.
func TestAtomicWindowByHand(t *testing.T) {
	run := &windowRun{
		accesses: []windowAccess{
			hostWrite(3, 40),
			{Stream: 1, Msn: 7, Identifier: 100, Index: 3, Opcode: wire.FetchAdd, Data: 2},
			{Stream: 2, Msn: 8, Identifier: 101, Index: 3, Opcode: wire.FetchAdd, Data: 1},
			hostRead(3),
			{Stream: 1, Msn: 9, Identifier: 102, Index: 3, Opcode: wire.CmpSwap, Data: 5, Mask: ones, Compare: 43, CompareMask: ones},
			{Stream: 1, Msn: 10, Identifier: 103, Index: 3, Opcode: wire.CmpSwap, Data: 6, Mask: ones, Compare: 43, CompareMask: ones},
			hostWrite(3, 9),
			{Stream: 3, Msn: 11, Identifier: 104, Index: 3, Opcode: wire.Swap, Data: 77},
			hostRead(3),
			hostRead(4),
		},
		replies: []windowReply{{1, 7, 100, 40}, {2, 8, 101, 42}, {1, 9, 102, 43}, {1, 10, 103, 5}, {3, 11, 104, 9}},
		answers: []hostAnswer{{0}, {43}, {5}, {77}, {0}},
		retired: []rdmap.Retired{
			{Host: true, Opcode: 1, Index: 3, Original: 0, Result: 40},
			{Stream: 1, Opcode: 0, Index: 3, Original: 40, Result: 42},
			{Stream: 2, Opcode: 0, Index: 3, Original: 42, Result: 43},
			{Host: true, Opcode: 0, Index: 3, Original: 43, Result: 43},
			{Stream: 1, Opcode: 2, Index: 3, Original: 43, Result: 5},
			{Stream: 1, Opcode: 2, Index: 3, Original: 5, Result: 5},
			{Host: true, Opcode: 1, Index: 3, Original: 5, Result: 9},
			{Stream: 3, Opcode: 1, Index: 3, Original: 9, Result: 77},
			{Host: true, Opcode: 0, Index: 3, Original: 77, Result: 77},
			{Host: true, Opcode: 0, Index: 4, Original: 0, Result: 0},
		},
	}
	run.check(t, engine.Stall{}, engine.Stall{})
}

func TestAtomicWindowUnderStalls(t *testing.T) {
	onOneWord, onTwo, onAll := randomAccesses(1, 800, 1), randomAccesses(2, 800, 2), randomAccesses(3, 800, 8)
	everyStall(t, func(t *testing.T, idle, pressure engine.Stall) {
		onOneWord.check(t, idle, pressure)
		onTwo.check(t, idle, pressure)
		onAll.check(t, idle, pressure)
	})
}

// One access a clock, whether they hit one word or many; each leaves two clocks after it came.
func TestAtomicWindowRate(t *testing.T) {
	for _, distinct := range []int{1, 2, 8} {
		run := randomAccesses(4, 5000, distinct)
		b := run.check(t, engine.Stall{}, engine.Stall{})
		gapless(t, b.cycles("req"))
		gapless(t, b.cycles("retire"))
		assert.Equal(t, b.cycles("req")[0]+2, b.cycles("retire")[0])
	}
}

// An access takes effect once, also when its reply has to wait.
func TestAtomicWindowExecutesOnceWhileItWaits(t *testing.T) {
	run, w := &windowRun{}, words{}
	for i := range uint32(200) {
		run.add(w, windowAccess{Stream: i % 4, Msn: i, Identifier: i, Index: 5, Opcode: wire.FetchAdd, Data: 1})
	}
	run.add(w, hostRead(5))
	assert.Equal(t, hostAnswer{200}, run.answers[0])
	run.check(t, engine.Stall{}, engine.Stall{Mode: engine.StallRandom, Chance: 240})
}

// Without the retire port and without draft-00 the same accesses give the same replies.
func TestAtomicWindowWithoutOptions(t *testing.T) {
	c := windowConfig()
	c.RetirePort, c.Extensions = false, nil
	b := open(t, gen.AtomicWindow(c))
	push(b, "req", hostWrite(0, 1),
		windowAccess{Index: 0, Opcode: wire.FetchAdd, Data: 1}, windowAccess{Index: 0, Opcode: wire.FetchAdd, Data: 1}, hostRead(0))
	b.run()
	assert.Equal(t, []windowReply{{Original: 1}, {Original: 2}}, take[windowReply](b, "reply"))
	answers := take[hostAnswer](b, "host")
	assert.Equal(t, hostAnswer{3}, answers[1])
}

// Three times 1 is added to word 5, in consecutive clocks: each takes the result of the one ahead, which is not in the
// memory yet when it would have to be read. The host's read of a later clock finds it there. What is drawn without a
// valid beside it means nothing.
func TestAtomicWindowPicture(t *testing.T) {
	assert.Equal(t, `
                 ────────────┐   ┌───┐
req_valid                    │   │   │
                             └───┘   └───────────
                 ┌───────────────────────────────
req_index        │5
                 └───────────────────────────────
                     ┌───────────┐   ┌───┐
execute_valid_q      │           │   │   │
                 ────┘           └───┘   └───────
                 ┌───────────┬───────┬───────────
stored           │0          │1      │3
                 └───────────┴───────┴───────────
                         ┌───────────┐   ┌───┐
forward                  │           │   │   │
                 ────────┘           └───┘   └───
                 ┌───────┬───┬───┬───────────────
original         │0      │1  │2  │3
                 └───────┴───┴───┴───────────────
                         ┌───────────┐   ┌───┐
retire_valid             │           │   │   │
                 ────────┘           └───┘   └───
                 ┌───────────┬───┬───┬───────────
retire_original  │0          │1  │2  │3
                 └───────────┴───┴───┴───────────
                 ┌───────┬───┬───┬───┬───┬───────
retire_result    │0      │1  │2  │3  │4  │3
                 └───────┴───┴───┴───┴───┴───────
                                         ┌───┐
host_valid                               │   │
                 ────────────────────────┘   └───
                 ┌───────────┬───┬───┬───────────
host_data        │0          │1  │2  │3
                 └───────────┴───┴───┴───────────
`, picture(t, gen.AtomicWindow(windowConfig()), 8, pins{
		"req_valid":   {1, 1, 1, 0, 1, 0},
		"req_host":    {0, 0, 0, 0, 1},
		"req_index":   {5},
		"req_data":    {1, 1, 1, 0},
		"reply_ready": {1},
		"host_ready":  {1},
	}, "req_valid", "req_index", "execute_valid_q", "stored", "forward", "original",
		"retire_valid", "retire_original", "retire_result", "host_valid", "host_data"))
}
