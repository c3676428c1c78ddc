package gen_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine/transmit"
)

var txSenders = []string{"read", "atomic", "end", "requests"}

// txMessage returns a message of some segments on a stream. The low digit of each address identifies the sender.
func txMessage(r *rand.Rand, sender, stream, segments int) (list []txCommandBeat) {
	for i := range segments {
		c := plainCommand(r, stream, r.IntN(8), 14+r.IntN(57))
		c.Final, c.Address, c.PayloadLength = i == segments-1, r.Uint64()<<4|uint64(sender), r.IntN(1<<16)
		list = append(list, c)
	}
	return list
}

// split reports whether messages of a sender can have several segments.
func split(sender int) bool { return sender == 0 || sender == 3 }

// txMessages returns messages of a sender: those of atomic and terminate have one segment.
func txMessages(r *rand.Rand, sender, messages, streams int) (list []txCommandBeat) {
	for range messages {
		n := 1
		if split(sender) {
			n = 1 + r.IntN(5)
		}
		list = append(list, txMessage(r, sender, r.IntN(streams), n)...)
	}
	return list
}

// txArbitration is a tx_arbiter with a check of its output. Messages of one stream must not interleave.
type txArbitration struct {
	*rig
	order  string          // digits of the senders
	sent   []txCommandBeat // accepted, not output yet
	got    [4][]txCommandBeat
	middle map[int]int // sender, by stream
	passed [4][4]int   // times that a waiting sender was passed over by another
}

func openTxArbiter(t testing.TB) *txArbitration {
	a := &txArbitration{rig: openRig(t, transmit.TxArbiter(streamsOf(8)), 1), middle: map[int]int{}}
	a.inputs["abandoned"].Set(0)
	a.look = func() {
		for sender, name := range txSenders {
			s := a.stream(name)
			if s.valid.Get() == 0 || s.ready.Get() == 0 {
				continue
			}
			var c txCommandBeat
			peek(a.rig, name, &c)
			a.sent = append(a.sent, c)
			a.takes(sender, c)
		}
	}
	onBeat(a.rig, "command", func(c txCommandBeat) {
		require.Equal(t, a.sent[0], c, "commands leave unchanged and in order")
		a.sent = a.sent[1:]
		sender := int(c.Address & 15)
		a.got[sender] = append(a.got[sender], c)
	})
	return a
}

// takes records a command accepted from a sender.
func (a *txArbitration) takes(sender int, c txCommandBeat) {
	a.order += fmt.Sprint(sender)
	if owner, is := a.middle[c.Stream]; is {
		require.Equal(a.t, owner, sender, "within a message of stream %d", c.Stream)
	}
	delete(a.middle, c.Stream)
	if !c.Final {
		a.middle[c.Stream] = sender
	}
	for i, name := range txSenders {
		if i != sender && a.stream(name).valid.Get() == 1 {
			a.passed[i][sender]++
		}
	}
	a.passed[sender] = [4]int{}
}

// Nothing is lost or changed, each sender keeps its order, and messages of one stream do not interleave.
func TestTxArbiterUnderStalls(t *testing.T) {
	for _, streams := range []int{1, 3} {
		everyChance(t, func(t *testing.T, idle, pressure int) {
			a := openTxArbiter(t)
			a.stall(idle, pressure)
			var want [4][]txCommandBeat
			for i, name := range txSenders {
				want[i] = txMessages(a.rand, i, 80, streams)
				send(a.rig, name, want[i]...)
			}
			a.rest(100)
			for i := range txSenders {
				same(t, want[i], a.got[i])
			}
		})
	}
}

// With senders on different streams, a waiting sender is passed over at most once by each other.
func TestTxArbiterIsFair(t *testing.T) {
	everyChance(t, func(t *testing.T, idle, pressure int) {
		a := openTxArbiter(t)
		a.stall(idle, pressure)
		for i, name := range txSenders {
			for range 60 {
				send(a.rig, name, txMessage(a.rand, i, i, 1+2*int(bitOf(split(i))))...)
			}
		}
		for a.quiet = 0; a.quiet < 300; {
			a.step()
			for i := range a.passed {
				for j, n := range a.passed[i] {
					require.LessOrEqual(t, n, 1, "%s was passed over by %s", txSenders[i], txSenders[j])
				}
			}
		}
		assert.Len(t, a.order, 60*(1+3+1+3))
	})
}

// One command per cycle, in the cycle after its arrival: waiting senders take turns; a single sender has every cycle.
func TestTxArbiterTurns(t *testing.T) {
	for _, row := range []struct {
		says    string
		waiting [4]int
		order   string
	}{
		{"all wait", [4]int{3, 3, 3, 3}, "012301230123"},
		{"two wait", [4]int{0, 3, 0, 3}, "131313"},
		{"read alone", [4]int{4, 0, 0, 0}, "0000"},
		{"requests alone", [4]int{0, 0, 0, 4}, "3333"},
		{"one has fewer commands", [4]int{3, 3, 1, 3}, "0123013013"},
	} {
		t.Run(row.says, func(t *testing.T) {
			a := openTxArbiter(t)
			for i, n := range row.waiting {
				for range n {
					send(a.rig, txSenders[i], txMessage(a.rand, i, i, 1)...)
				}
			}
			a.rest(10)
			assert.Equal(t, row.order, a.order)
			gapless(t, a.stream("command").at)
			assert.Equal(t, 1, a.stream("command").at[0])
		})
	}
}

// Within a message of stream 1, other senders' commands for stream 1 wait, and those for stream 2 leave.
func TestTxArbiterDoesNotInterleave(t *testing.T) {
	for _, owner := range []int{0, 3} {
		a := openTxArbiter(t)
		message := txMessage(a.rand, owner, 1, 4)
		send(a.rig, txSenders[owner], message[:3]...)
		a.rest(10)
		for i, name := range txSenders {
			if i != owner {
				send(a.rig, name, txMessage(a.rand, i, 2, 1)...)
				send(a.rig, name, txMessage(a.rand, i, 1, 1)...)
			}
		}
		for range 20 {
			a.step()
		}
		require.Len(t, a.order, 6, "the three of stream 2 left")
		for i := range txSenders {
			assert.Equal(t, i != owner, strings.Contains(a.order[3:], fmt.Sprint(i)))
		}
		send(a.rig, txSenders[owner], message[3])
		a.rest(10)
		require.Len(t, a.order, 10)
		assert.Equal(t, fmt.Sprint(owner), a.order[6:7], "then the message ends")
	}
}

// When requests abandons its message, the others continue, even if it does so right after its last command was accepted.
func TestTxArbiterAbandoned(t *testing.T) {
	for _, after := range []int{0, 1, 5} {
		a := openTxArbiter(t)
		send(a.rig, "requests", txMessage(a.rand, 3, 1, 3)[:2]...)
		a.step()
		for i := range after + 1 {
			a.inputs["abandoned"].Set(bitOf(i == after))
			a.step()
		}
		a.inputs["abandoned"].Set(0)
		clear(a.middle)
		for i := range 3 {
			send(a.rig, txSenders[i], txMessage(a.rand, i, 1, 1)...)
		}
		a.rest(10)
		send(a.rig, "requests", txMessage(a.rand, 3, 2, 2)...)
		a.rest(10)
		assert.Equal(t, "3301233", a.order)
	}
}

// Abandoning without a message has no effect: the message of read continues.
func TestTxArbiterAbandonedWithoutMessage(t *testing.T) {
	a := openTxArbiter(t)
	message := txMessage(a.rand, 0, 1, 2)
	send(a.rig, "read", message[0])
	a.rest(5)
	a.inputs["abandoned"].Set(1)
	send(a.rig, "atomic", txMessage(a.rand, 1, 1, 1)...)
	for range 5 {
		a.step()
	}
	require.Equal(t, "0", a.order)
	send(a.rig, "read", message[1])
	a.rest(5)
	assert.Equal(t, "001", a.order)
}

// After a reset no message is in progress, and offered commands are dropped.
func TestTxArbiterReset(t *testing.T) {
	a := openTxArbiter(t)
	send(a.rig, "requests", txMessage(a.rand, 3, 1, 3)[:2]...)
	send(a.rig, "read", txMessage(a.rand, 0, 2, 3)[:2]...)
	a.rest(5)
	a.stall(0, 256)
	send(a.rig, "end", txMessage(a.rand, 2, 3, 1)...)
	for range 5 {
		a.step()
	}
	a.reset()
	a.stall(0, 0)
	clear(a.middle)
	a.sent = nil
	a.order = ""
	for i, name := range txSenders {
		send(a.rig, name, txMessage(a.rand, i, 1, 1)...)
		send(a.rig, name, txMessage(a.rand, i, 2, 1)...)
	}
	a.rest(5)
	assert.Equal(t, "01230123", a.order)
}
