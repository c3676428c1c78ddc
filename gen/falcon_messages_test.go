package gen_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine/request"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// packer joins fields, the first one most significant.
type packer struct{ bits *big.Int }

func (p packer) add(width int, value uint64) packer {
	p.bits.Lsh(p.bits, uint(width))
	p.bits.Or(p.bits, new(big.Int).SetUint64(value))
	return p
}

// words are those of the bits, least significant first.
func (p packer) words(width int) []uint64 {
	list, rest, mask := make([]uint64, (width+63)/64), new(big.Int).Set(p.bits), new(big.Int).SetUint64(^uint64(0))
	for i := range list {
		list[i] = new(big.Int).And(rest, mask).Uint64()
		rest.Rsh(rest, 64)
	}
	return list
}

// waitingFalconWork is a work request in the ring of its QP.
type waitingFalconWork struct {
	falconWork
	TooLong bool
}

// packed is the work request as it waits in the ring.
func (w waitingFalconWork) packed() packer {
	return packer{new(big.Int)}.add(64, w.ID).add(1, uint64(bitOf(w.Signaled))).add(8, uint64(w.Opcode)).add(32, uint64(w.Local.STag)).add(64, w.Local.TO).add(32, uint64(w.Length)).
		add(32, uint64(w.Remote.STag)).add(64, w.Remote.TO).add(4, uint64(w.Atomic.Opcode)).add(64, w.Atomic.Data).add(64, w.Atomic.Mask).add(64, w.Atomic.Compare).
		add(64, w.Atomic.CompareMask).add(1, uint64(bitOf(w.Solicited))).add(1, uint64(bitOf(w.Fence))).add(24, uint64(w.SRQ)).
		add(1, uint64(bitOf(w.More))).add(1, uint64(bitOf(w.TooLong)))
}

type workMessageBeat struct {
	Stream int
	Number uint32
}

// workList is a work request of which elements have been issued.
type workList struct {
	falconWork
	octets uint64
	unfit  bool
	refuse bool
}

// element is another one of it.
func (l workList) element(r *rand.Rand) falconWork {
	w, other := l.falconWork, randomFalconWork(r, l.Opcode)
	w.Local, w.Length = other.Local, other.Length
	return w
}

// The messages of work requests, with their headers and tags, in the order in which they were issued, under all stalls.
func TestFalconWorkMessages(t *testing.T) {
	c := falconConfig(spec.Mirrored, 64)
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, request.RequestMessages(c), 1)
		for _, in := range b.inputs {
			in.Set(0)
		}
		for range c.Streams + 4 {
			b.step()
		}
		for qp := range c.Streams { // each is opened; issued numbers then name the work requests
			b.inputs["opened"].Set(1)
			b.inputs["opened_stream"].Set(uint64(qp))
			b.step()
		}
		b.inputs["opened"].Set(0)
		b.stall(idle, pressure)

		fetch, number, stream, fetched := b.signal("fetch"), b.signal("fetch_number"), b.signal("fetch_stream"), b.inputs["fetched"]
		posted := map[workMessageBeat][]waitingFalconWork{}
		var read [2][]uint64 // one and two cycles later
		b.look = func() {
			read[1], read[0] = read[0], nil
			if fetch.Get() == 1 {
				key := workMessageBeat{int(stream.Get()), uint32(number.Get())}
				w := posted[key][0]
				posted[key] = posted[key][1:]
				read[0] = w.packed().words(fetched.Width)
			}
		}
		lists, inside := map[int]workList{}, 0
		var want []falconMessage
		for i := range 200 {
			var row *spec.Operation
			for row == nil || row.Source != spec.Initiator || row.Position != spec.Only {
				row = &spec.Operations[b.rand.IntN(len(spec.Operations))]
			}
			w := randomFalconWork(b.rand, row.Opcode)
			list, goesOn := lists[w.Stream]
			if goesOn {
				w = list.element(b.rand)
			}
			w.More = b.rand.IntN(3) == 0
			w.Local.TO &= 1<<32 - 1
			w.Local.STag &^= 0xFF
			spoilt := b.rand.IntN(8) == 0
			if spoilt {
				w.Local.STag |= 1 + b.rand.Uint32N(255)
			}
			tooLong := b.rand.IntN(20) == 0
			key := workMessageBeat{w.Stream, uint32(i) % 8}
			posted[key] = append(posted[key], waitingFalconWork{w, tooLong})
			send(b, "work", key)
			at := w
			if row, _ := w.Opcode.Operation(); row.Packet == spec.PullRequest {
				at.Remote.TO += list.octets & (1<<32 - 1)
			}
			h := at.header(spec.Mirrored)
			m := falconMessage{Stream: w.Stream, Kind: kindMessage, HeaderLength: h.HeaderLength, Header: h.Header, Address: w.Local.TO, falconSent: h.falconSent}
			if h.Write || h.Send {
				m.Length = h.Octets
			}
			list.octets += uint64(h.Octets)
			list.refuse = list.refuse || tooLong || w.More && h.Word || h.Lacks || list.octets >= 1<<32
			list.unfit = list.unfit || spoilt && (h.Asks || m.Length > 0) && h.Octets > 0 || list.refuse
			m.Unfit, m.RefusedWork, m.First = list.unfit, list.refuse, !goesOn
			list.falconWork = w
			if delete(lists, w.Stream); w.More {
				lists[w.Stream] = list
				inside++
			}
			want = append(want, m)
		}
		entry := b.inputs["local_entry"] // one region for all keys, with all rights, of the only domain
		entry.SetWords(packer{new(big.Int)}.add(1, 1).add(8, 0).add(6, 63).add(1, 1).add(16, 0).add(64, 0).add(64, ^uint64(0)).add(64, 0).words(entry.Width))
		for range 6000 {
			if read[1] != nil {
				fetched.SetWords(read[1])
			}
			b.step()
		}
		got := received[falconMessage](b, "message")
		require.Len(t, got, len(want))
		require.Greater(t, inside, 40)
		for i := range got {
			got[i].Number = 0
			require.Equal(t, want[i], got[i], "message %d", i)
		}
	})
}
