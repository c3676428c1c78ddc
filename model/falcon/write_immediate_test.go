package falcon_test

import (
	"testing"

	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A Write with Immediate whose First is refused, its Last on the way or not yet sent: the receive ends in error (I-103).
func TestWriteImmediateRefused(t *testing.T) {
	for _, kind := range []spec.QPType{spec.QPRC, spec.QPXRCInitiator} {
		for _, o := range []spec.Ordering{spec.Strong, spec.Weak} {
			for seed := range uint64(100) {
				b := newBench(t, newSetup(kind, o, spec.CompleteInError), seed)
				b.receive(1, falcon.ReceiveRequest{ID: 9})
				b.receive(1, falcon.ReceiveRequest{ID: 10})
				w := falcon.WorkRequest{ID: 1, Kind: spec.Write, Suffix: spec.Immediate, Local: source(0, 3*mtu), VA: remoteVA - mtu, RKey: remoteKey}
				b.post(t, 0, w)
				w.ID, w.VA = 2, remoteVA
				b.post(t, 0, w)
				b.run(t)
				sent, received := b.completions(0)
				assert.Empty(t, received)
				require.Len(t, sent, 2)
				assert.Equal(t, falcon.RemoteAccess, sent[0].Status)
				assert.Equal(t, falcon.Success, sent[1].Status)
				_, received = b.completions(1)
				require.Len(t, received, 2)
				assert.Equal(t, falcon.PeerError, received[0].Status)
				assert.Equal(t, falcon.Success, received[1].Status)
			}
		}
	}
}

// Packets of Writes in all orders of arrival, of which some are refused: the receive of the message that they belong to
// ends in error, that of the next one does not.
func TestWritePacketsRefused(t *testing.T) {
	long := func(g *target, p packet.Packet) falcon.Answer { p.Payload = make([]byte, mtu+4); return g.send(p) }
	wrongKey := func(g *target, p packet.Packet) falcon.Answer { p.RKey = noKey; return g.send(p) }
	for _, o := range []spec.Ordering{spec.Strong, spec.Weak} {
		for _, order := range orders(5) {
			if o == spec.Strong && !assert.ObjectsAreEqual([]int{0, 1, 2, 3, 4}, order) {
				continue
			}
			for _, refused := range []int{-1, 0, 1, 3} { // no Last
				for _, refuse := range []func(*target, packet.Packet) falcon.Answer{wrongKey, long} {
					g := newTarget(t, newSetup(spec.QPRC, o, spec.CompleteInError))
					g.postReceive(1, 8)
					g.postReceive(2, 8)
					list := []packet.Packet{g.numbered(0x06, 1, 0, 0), g.numbered(0x07, 2, 0, 0), g.numbered(0x09, 3, 1, 0),
						g.numbered(0x06, 4, 0, 0), g.numbered(0x09, 5, 2, 0)}
					for _, n := range order {
						if n == refused {
							assert.Equal(t, spec.CIE, refuse(g, list[n]).Reply)
						} else {
							assert.Equal(t, spec.Ack, g.send(list[n]).Reply)
						}
					}
					want := []falcon.Status{falcon.Success, falcon.Success}
					switch refused {
					case 0, 1:
						want[0] = falcon.PeerError
					case 3:
						want[1] = falcon.PeerError
					}
					_, received := g.completions(1)
					require.Len(t, received, 2)
					assert.Equal(t, want, []falcon.Status{received[0].Status, received[1].Status}, "%v %v, refused: %d", o, order, refused)
				}
			}
		}
	}
}

// orders returns all permutations of the numbers below n.
func orders(n int) (list [][]int) {
	if n == 0 {
		return [][]int{nil}
	}
	for _, rest := range orders(n - 1) {
		for at := range n {
			order := append(append(append([]int{}, rest[:at]...), n-1), rest[at:]...)
			list = append(list, order)
		}
	}
	return list
}
