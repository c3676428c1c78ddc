package gen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine/transmit"
)

var txSenders = []string{"read", "atomic", "end", "requests"}

// txMessages returns messages of a sender. The low digit of each address identifies it.
func txMessages(r *rand.Rand, sender, messages int) (list []txMessageBeat) {
	for range messages {
		octets := 14 + r.IntN(57)
		list = append(list, txMessageBeat{Stream: r.IntN(8), Kind: r.IntN(8), Number: r.Uint32N(requestNumbers), HeaderLength: octets, Header: padded(noise(r, octets)),
			Address: r.Uint64()<<4 | uint64(sender), Length: r.Uint32()})
	}
	return list
}

// txArbitration is a tx_arbiter with a check of its output.
type txArbitration struct {
	*rig
	order  string          // digits of the senders
	sent   []txMessageBeat // accepted, not output yet
	got    [4][]txMessageBeat
	passed [4][4]int // times that a waiting sender was passed over by another
}

func openTxArbiter(t testing.TB) *txArbitration {
	a := &txArbitration{rig: openRig(t, transmit.TxArbiter(streamsOf(8)), 1)}
	a.look = func() {
		for sender, name := range txSenders {
			s := a.stream(name)
			if s.valid.Get() == 0 || s.ready.Get() == 0 {
				continue
			}
			var c txMessageBeat
			peek(a.rig, name, &c)
			a.sent = append(a.sent, c)
			a.takes(sender)
		}
	}
	onBeat(a.rig, "message", func(c txMessageBeat) {
		require.Equal(t, a.sent[0], c, "messages leave unchanged and in order")
		a.sent = a.sent[1:]
		sender := int(c.Address & 15)
		a.got[sender] = append(a.got[sender], c)
	})
	return a
}

// takes records a message accepted from a sender.
func (a *txArbitration) takes(sender int) {
	a.order += fmt.Sprint(sender)
	for i, name := range txSenders {
		if i != sender && a.stream(name).valid.Get() == 1 {
			a.passed[i][sender]++
		}
	}
	a.passed[sender] = [4]int{}
}

// Nothing is lost or changed, each sender keeps its order, and a waiting sender is passed over at most once by each other.
func TestTxArbiterUnderStalls(t *testing.T) {
	everyChance(t, func(t *testing.T, idle, pressure int) {
		a := openTxArbiter(t)
		a.stall(idle, pressure)
		var want [4][]txMessageBeat
		for i, name := range txSenders {
			want[i] = txMessages(a.rand, i, 80)
			send(a.rig, name, want[i]...)
		}
		for a.quiet = 0; a.quiet < 100; {
			a.step()
			for i := range a.passed {
				for j, n := range a.passed[i] {
					require.LessOrEqual(t, n, 1, "%s was passed over by %s", txSenders[i], txSenders[j])
				}
			}
		}
		for i := range txSenders {
			same(t, want[i], a.got[i])
		}
	})
}

// One message per cycle: waiting senders take turns; a single sender has every cycle. The first leaves in the cycle after its arrival, or
// one later if its sender does not have the turn, which is that of the atomics when none waits.
func TestTxArbiterTurns(t *testing.T) {
	for _, row := range []struct {
		says    string
		waiting [4]int
		order   string
		first   int
	}{
		{"all wait", [4]int{3, 3, 3, 3}, "123012301230", 1},
		{"two wait", [4]int{3, 0, 0, 3}, "303030", 2},
		{"atomic alone", [4]int{0, 4, 0, 0}, "1111", 1},
		{"read alone", [4]int{4, 0, 0, 0}, "0000", 2},
		{"requests alone", [4]int{0, 0, 0, 4}, "3333", 2},
		{"one has fewer messages", [4]int{3, 3, 1, 3}, "1230130130", 1},
	} {
		t.Run(row.says, func(t *testing.T) {
			a := openTxArbiter(t)
			for i, n := range row.waiting {
				send(a.rig, txSenders[i], txMessages(a.rand, i, n)...)
			}
			a.rest(10)
			assert.Equal(t, row.order, a.order)
			gapless(t, a.stream("message").at)
			assert.Equal(t, row.first, a.stream("message").at[0])

			a.order = ""
			send(a.rig, "atomic", txMessages(a.rand, 1, 1)...)
			send(a.rig, "read", txMessages(a.rand, 0, 1)...)
			a.rest(5)
			assert.Equal(t, "10", a.order, "nothing waited")
		})
	}
}

// After a reset offered messages are dropped, and the atomics begin.
func TestTxArbiterReset(t *testing.T) {
	a := openTxArbiter(t)
	send(a.rig, "read", txMessages(a.rand, 0, 2)...)
	a.rest(5)
	a.stall(0, 256)
	send(a.rig, "end", txMessages(a.rand, 2, 2)...)
	for range 5 {
		a.step()
	}
	a.reset()
	a.stall(0, 0)
	a.sent, a.order = nil, ""
	for i, name := range txSenders {
		send(a.rig, name, txMessages(a.rand, i, 2)...)
	}
	a.rest(5)
	assert.Equal(t, "12301230", a.order)
}
