package system

import (
	"testing"

	"github.com/sarchlab/akita/v3/sim"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is entered is done in the order of cycles, and within one in the order of entering, also what is entered meanwhile.
func TestAgenda(t *testing.T) {
	var a agenda
	var done []string
	do := func(name string) func(Cycle) {
		return func(Cycle) { done = append(done, name) }
	}
	a.enter(7, do("d"))
	a.enter(5, do("a"))
	a.enter(5, func(now Cycle) {
		done = append(done, "b")
		a.enter(now, do("c"))
		a.enter(now+2, do("e"))
	})
	assert.Equal(t, Cycle(5), a.next())
	a.run(5)
	assert.Equal(t, []string{"a", "b", "c"}, done)
	a.run(7)
	assert.Equal(t, []string{"a", "b", "c", "d", "e"}, done)
	assert.Equal(t, never, a.next())
}

// A visit does what is ready when it begins, and soon after, one in a cycle; the next begins after a pause.
func TestVisits(t *testing.T) {
	var v visits
	var when []Cycle
	for _, ready := range []Cycle{10, 10, 12, 13, 14, 40} {
		when = append(when, v.next(ready, rhythm{2, 12}))
	}
	assert.Equal(t, []Cycle{10, 11, 12, 24, 25, 40}, when)
	// The one that was ready at 13 came after the first visit had looked.
}

// Placements count up to the first that is missing, whatever the order in which they end.
func TestPlacements(t *testing.T) {
	var p placements
	for range 4 {
		p.add()
	}
	for _, c := range []struct{ ends, placed int }{{2, 0}, {1, 2}, {4, 2}, {3, 4}} {
		p.place(c.ends)
		assert.Equal(t, c.placed, p.placed)
	}
	assert.Empty(t, p.early)
}

func TestBeats(t *testing.T) {
	for _, c := range []struct{ octets, beats int }{{0, 1}, {1, 1}, {64, 1}, {65, 2}, {128, 2}} {
		assert.Equal(t, c.beats, Beats(c.octets, 64))
	}
}

// A write across the end of a page is one access in each, so that both are compared at the end.
func TestWriteAcrossPages(t *testing.T) {
	engine := sim.NewSerialEngine()
	e := newEndpoint("E", engine, testFreq, 8)
	newLink("Link", testFreq, testNetwork(100, 0, 0), plug{engine, e.port, 1 << 20}, plug{engine, newEndpoint("F", engine, testFreq, 8).port, 1 << 20})
	a := accesses{port: e.port, line: 64, most: mostBurst, agenda: &agenda{}}
	a.write(3*pageOctets-100, make([]byte, 300), func(Cycle) {})
	require.Len(t, a.writes.queue, 2)
	assert.Equal(t, uint64(3*pageOctets), a.writes.queue[1].address)
	assert.Equal(t, 2+4, a.writes.lines)
	a.read(3*pageOctets-100, 300, func(Cycle) {})
	assert.Equal(t, 2+4, a.reads.lines)
}

// sink notes when messages arrive.
type sink struct {
	*Clocked
	port  sim.Port
	times []Cycle
}

// A read of several lines takes the port as many cycles, and so does a write, which memory is asked for with its last line. Both directions
// go on at once.
func TestAccessesTakeACycleForALine(t *testing.T) {
	engine := sim.NewSerialEngine()
	to := &sink{}
	to.Clocked = NewClocked("To", engine, testFreq, func(now Cycle) Cycle {
		for m := to.port.Retrieve(at(testFreq, now)); m != nil; m = to.port.Retrieve(at(testFreq, now)) {
			to.times = append(to.times, testFreq.Cycle(m.Meta().RecvTime))
		}
		return never
	})
	to.port = sim.NewLimitNumMsgPort(to, 8, "To.Port")
	from := &sink{}
	var a accesses
	from.Clocked = NewClocked("From", engine, testFreq, func(now Cycle) Cycle { return a.issue(now) })
	from.port = sim.NewLimitNumMsgPort(from, 8, "From.Port")
	joined("C", engine, testFreq, from.port, to.port)
	a = accesses{port: from.port, memory: to.port, freq: testFreq, line: 64, most: mostBurst, agenda: &agenda{}, waiting: map[string]*access{}, written: map[uint64]bool{}, traffic: &Traffic{}}
	for range 2 {
		a.read(0, 10*64, func(Cycle) {})
	}
	from.Wake(100)
	require.NoError(t, engine.Run())
	assert.Equal(t, []Cycle{100, 110}, to.times)
	to.times = nil
	for range 2 {
		a.write(0, make([]byte, 10*64), func(Cycle) {})
	}
	from.Wake(200)
	require.NoError(t, engine.Run())
	assert.Equal(t, []Cycle{209, 219}, to.times)
}
