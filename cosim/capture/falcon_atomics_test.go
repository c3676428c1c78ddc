package capture_test

import (
	"net/netip"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/cosim/capture/roce"
	"github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// The Writes and Atomics that the Linux kernel executed, sent to the golden engine of RDMA over Falcon in their order, have the kernel's
// results, and the refused Atomic is refused.
func TestFalconFollowsTheKernelsAtomics(t *testing.T) {
	for _, c := range []struct {
		file                       string
		answered, refused, checked int // checked: of a word with known content
	}{
		{"rxe612_flush_atomicwrite", 1, 0, 0},
		{"rxe612_ib_atomic_bw_CMP_AND_SWAP", 20, 0, 0},
		{"rxe612_ib_atomic_bw_FETCH_AND_ADD", 20, 0, 0},
		{"rxe612_nak08_faddkey_1", 0, 1, 0},
		{"rxe612_rtest_ops", 7, 0, 7},
	} {
		for _, order := range []spec.BitOrder{spec.Drawn, spec.Mirrored} {
			t.Run(c.file+" "+order.String(), func(t *testing.T) {
				got, err := capture.Open(filepath.Join("testdata", "rxe", c.file+".pcap"))
				require.NoError(t, err)
				exchanges := map[int]roce.AtomicExchange{}
				for _, x := range got.RoCE.Atomics {
					exchanges[x.RequestPacket] = x
				}
				targets := map[netip.Addr]*falconTarget{}
				answered, refused, checked := 0, 0, 0
				for _, p := range got.RoCE.Packets {
					target := targets[p.To]
					if target == nil {
						target = newFalconTarget(t, order)
						targets[p.To] = target
					}
					if strings.HasPrefix(p.Opcode.String(), "rc_write_") {
						target.write(p)
					}
					x, is := exchanges[p.Number]
					switch {
					case !is:
					case x.Answered:
						answered++
						checked += target.atomic(x)
					case x.Refused:
						refused++
						assert.True(t, target.pull(x).CE, "NAK %d of packet %d", x.NAK, x.RequestPacket)
					}
				}
				assert.Equal(t, []int{c.answered, c.refused, c.checked}, []int{answered, refused, checked})
			})
		}
	}
}

// falconTarget is a node of RDMA over Falcon in the place of the kernel's responder, with one region for each R-Key of its peer.
type falconTarget struct {
	t       *testing.T
	order   spec.BitOrder
	engine  *falcon.Engine
	request packet.Packet // SN and RMSN of the next one
	known   map[uint64]bool
	cursor  uint64 // of the Write in progress
	key     uint32
	keys    map[uint32]uint32 // of its regions, by the kernel's; that of no region is 0
}

const (
	falconRegions = 16
	falconCID     = 5
	falconQP      = 9
)

func newFalconTarget(t *testing.T, order spec.BitOrder) *falconTarget {
	t.Helper()
	e, err := falcon.New(falcon.Config{BitOrder: order, Regions: falconRegions, BufferOctets: 1024})
	require.NoError(t, err)
	require.NoError(t, e.CreateConnection(falcon.ConnectionConfig{CID: falconCID, Ordered: true, Window: 1, Credits: spec.Credits{DataTxPackets: 1000, DataTxBuffers: 1000}}))
	require.NoError(t, e.CreateQP(falcon.QPConfig{Number: falconQP, Errors: spec.CompleteInError, MTU: 4096, CID: falconCID, IRRQ: 1, ORD: 1, SendDepth: 1}))
	return &falconTarget{t: t, order: order, engine: e, request: packet.Packet{SN: 1, RMSN: 1}, known: map[uint64]bool{}, keys: map[uint32]uint32{}}
}

// register makes all of memory accessible with a key of the kernel.
func (f *falconTarget) register(key uint32) {
	if _, is := f.keys[key]; is {
		return
	}
	index := len(f.keys) + 1
	f.keys[key] = memory.STag(index, 1)
	require.NoError(f.t, f.engine.SetRegion(index, memory.Region{Valid: true, Key: 1, ByDomain: true, Length: 1 << 63,
		Rights: memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic}))
}

// send is the answer to a request with the fields of p.
func (f *falconTarget) send(name string, p packet.Packet) falcon.Answer {
	for i := range spec.Operations {
		if row := &spec.Operations[i]; row.Name == name && row.Opcode.Service() == spec.RC {
			p.Version, p.Opcode, p.DestinationQP, p.SN, p.RMSN = spec.Version, row.Opcode, falconQP, f.request.SN, f.request.RMSN
			f.request.SN++
			return f.engine.Receive(falcon.Request{CID: falconCID, RSN: p.SN, Type: row.Packet, Octets: p.Encode(nil, f.order)})
		}
	}
	require.Fail(f.t, "no such packet type", name)
	return falcon.Answer{}
}

// write sends one packet of an RDMA Write, each with its own RETH.
func (f *falconTarget) write(p roce.Arrival) {
	if p.RETH != nil {
		f.cursor, f.key = p.RETH.VA, p.RETH.RKey
		f.register(f.key)
	}
	answer := f.send("write_only", packet.Packet{VA: f.cursor, RKey: f.keys[f.key], Length: uint32(len(p.Payload)), Payload: p.Payload})
	require.Equal(f.t, spec.Ack, answer.Reply, "packet %d", p.Number)
	for range p.Payload {
		f.known[f.cursor] = true
		f.cursor++
	}
}

// pull executes an Atomic and returns its response.
func (f *falconTarget) pull(x roce.AtomicExchange) (response packet.Packet) {
	name := map[roce.Opcode]string{roce.FetchAdd: "atomic_fetch_add", roce.CmpSwap: "atomic_cmp_swap"}[x.Opcode]
	answer := f.send(name, packet.Packet{VA: x.VA, RKey: f.keys[x.RKey], Data: x.SwapOrAdd, Compare: x.Compare})
	f.request.RMSN++
	require.Equal(f.t, spec.Ack, answer.Reply)
	r, is := f.engine.Respond()
	require.True(f.t, is)
	require.Equal(f.t, spec.None, response.Decode(r.Octets, f.order))
	return response
}

// atomic compares the word that an Atomic returns with the kernel's; 1 if its content was known. Otherwise it is taken from the kernel.
func (f *falconTarget) atomic(x roce.AtomicExchange) (checked int) {
	checked = 1
	for i := range uint64(8) {
		if !f.known[x.VA+i] {
			checked = 0
		}
		f.known[x.VA+i] = true
	}
	if checked == 0 {
		f.engine.Memory().SetWord(x.VA, x.Original)
	}
	f.register(x.RKey)
	response := f.pull(x)
	assert.False(f.t, response.CE)
	assert.Equal(f.t, x.Original, response.Original, "packet %d: %v at %016x", x.RequestPacket, x.Opcode, x.VA)
	return checked
}
