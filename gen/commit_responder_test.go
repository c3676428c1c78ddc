package gen_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// begunBeat is a request that starts.
type begunBeat struct {
	Stream      int
	Commits     bool
	ResponseMsn uint32
	Returned    struct {
		Control        uint16
		InvalidateSTag uint32
		Msn            uint32
		Length         uint16
	}
}

// commitResultBeat is the result of a Flush or Atomic Write.
type commitResultBeat struct {
	Stream int
	Number uint32
	Fails  bool
}

// verifyResultBeat is that of a Verify.
type verifyResultBeat struct {
	commitResultBeat
	Differs      bool
	DigestOctets int
	Digest       [32]byte
}

// Each result becomes its response, or says how it has failed. The Invalidate STag is withdrawn once, before the response, if it has not
// failed. Every stream has one request at a time.
func TestCommitResponder(t *testing.T) {
	c := commitEngine(8, 16)
	everyChance(t, func(t *testing.T, idle, pressure int) {
		b := openRig(t, rdmap.CommitResponder(c), 1)
		b.stall(idle, pressure)
		var want, got [8][]string
		var withdrawn []string
		onBeat(b, "withdraw", func(w struct{ STag uint32 }) { withdrawn = append(withdrawn, fmt.Sprintf("withdraws %X", w.STag)) })
		onBeat(b, "message", func(m txMessageBeat) {
			got[m.Stream] = append(append(got[m.Stream], withdrawn...), fmt.Sprintf("%+v", m))
			withdrawn = nil
		})
		for range 300 {
			var begins [8]begunBeat
			for stream := range begins {
				begun := begunBeat{Stream: stream, Commits: true, ResponseMsn: uint32(operand(b.rand))}
				if b.rand.IntN(2) == 0 {
					begun.Returned.InvalidateSTag = b.rand.Uint32() >> b.rand.IntN(32) // row 0 exists, too
				}
				begun.Returned.Control, begun.Returned.Msn, begun.Returned.Length = uint16(b.rand.Uint32()), b.rand.Uint32(), uint16(b.rand.Uint32())
				send(b, "begun", begun)
				begins[stream] = begun
			}
			b.rest(2)
			for stream, begun := range begins { // results wait for each other
				r := commitResultBeat{Stream: stream, Number: b.rand.Uint32N(8), Fails: b.rand.IntN(3) == 0}
				m, fault := txMessageBeat{Stream: stream, Number: r.Number, HeaderLength: 18}, byte(engine.FaultFails)
				executor := []string{"flush", "atomic_write", "verify"}[b.rand.IntN(3)]
				switch executor {
				case "flush":
					m.Header = wire.AppendFlushResponse(nil, begun.ResponseMsn)
					send(b, executor, r)
				case "atomic_write":
					m.Header = wire.AppendAtomicWriteResponse(nil, begun.ResponseMsn)
					send(b, executor, r)
				case "verify":
					v := verifyResultBeat{commitResultBeat: r, Differs: r.Fails && b.rand.IntN(2) == 0, DigestOctets: []int{4, 8, 32}[b.rand.IntN(3)]}
					copy(v.Digest[:], noise(b.rand, v.DigestOctets))
					if v.Differs {
						fault = engine.FaultDiffers
					}
					m.Header = wire.AppendVerifyResponse(nil, begun.ResponseMsn, v.Digest[:v.DigestOctets])
					m.HeaderLength += v.DigestOctets
					send(b, executor, v)
				}
				m.Kind, m.Header = int(c.Kinds().Response(executor)), padded(m.Header)
				if r.Fails {
					m.HeaderLength, m.Header = 0, padded([]byte{fault})
				} else if stag := begun.Returned.InvalidateSTag; stag != 0 {
					want[stream] = append(want[stream], fmt.Sprintf("withdraws %X", stag))
				}
				want[stream] = append(want[stream], fmt.Sprintf("%+v", m))
			}
			b.rest(20)
		}
		require.Equal(t, want, got)
	})
}
