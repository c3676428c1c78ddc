package gen_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// workHeader is what the profile makes of a work request.
type workHeader struct {
	Any, Asks, Write, Send, Word hdl.Value
	Lacks                        hdl.Value
	Executor                     hdl.Value
	Octets                       hdl.Value
	HeaderLength, Header         hdl.Value
	Tag                          any `hdl:"-"`
}

type workHeaderPorts struct {
	Work   hdl.Sink[engine.WorkRequest]
	Header hdl.Source[workHeader]
}

// workHeaders is a block with nothing but the profile's functions.
func workHeaders(c engine.Config) hdl.Block[workHeaderPorts] {
	bit, t := hdl.Bits(1), engine.TxMessageOf(c)
	proto := workHeader{bit, bit, bit, bit, bit, bit, hdl.Bits(c.Kinds().ExecutorBits()), hdl.Bits(32), t.HeaderLength, t.Header, t.Tag}
	return hdl.Block[workHeaderPorts]{Kind: "work_headers", Doc: "work_headers is for tests.",
		Ports: workHeaderPorts{Work: hdl.NewSink(engine.WorkRequestOf(c)), Header: hdl.NewSource(proto)},
		Build: func(m *hdl.Module, p workHeaderPorts) {
			w, profile := p.Work.Data, c.Profile
			kind := profile.Work(m, "work", w.Opcode)
			octets, fills, lacks := profile.Octets(m, kind, w.Length, w.Operands)
			if fills != nil {
				panic("each response is placed")
			}
			held := engine.HeldWork{Stream: w.Stream, ID: w.ID, Signaled: w.Signaled, Opcode: w.Opcode, Kind: kind, Local: w.Local, Remote: w.Remote, Length: octets,
				Operands: w.Operands, Tag: w.Tag, Named: w.Length, Unfit: hdl.Zero(1), Refused: hdl.Zero(1), First: hdl.Ones(1)}
			header, length := profile.Header(m, held)
			m.Unused("of the completion", w.ID, w.Signaled)
			p.Header.Drive(m, p.Work.Valid, workHeader{Any: kind.Any, Asks: kind.Request(), Write: kind.Write, Send: kind.Send, Word: profile.Word(kind), Lacks: *lacks,
				Executor: kind.Executor(), Octets: octets, HeaderLength: length, Header: header, Tag: profile.Message(m, held)})
			p.Work.Accept(m, p.Header.Ready)
		}}
}

// falconWork is an engine.WorkRequest with its tag.
type falconWork struct {
	Stream   int
	ID       uint64
	Signaled bool
	Opcode   spec.Opcode
	Local    struct {
		STag uint32
		TO   uint64
	}
	Length uint32
	Remote struct {
		STag uint32
		TO   uint64
	}
	Atomic struct {
		Opcode                           uint32
		Data, Mask, Compare, CompareMask uint64
	}
	Solicited, Fence bool
	SRQ              uint32
	More             bool
}

type falconWorkHeader struct {
	Any, Asks, Write, Send, Word bool
	Lacks                        bool // an Atomic has another length than a word
	Executor                     int
	Octets                       uint32
	HeaderLength                 int
	Header                       [60]byte
	falconSent
}

func randomFalconWork(r *rand.Rand, opcode spec.Opcode) falconWork {
	w := falconWork{Stream: r.IntN(8), ID: r.Uint64(), Signaled: r.IntN(2) == 0, Opcode: opcode, Length: uint32(operand(r)), Solicited: r.IntN(2) == 0, Fence: r.IntN(2) == 0, SRQ: r.Uint32N(1 << 24)}
	w.Local.STag, w.Local.TO, w.Remote.STag, w.Remote.TO = r.Uint32(), operand(r), r.Uint32(), operand(r)
	if row, _ := opcode.Operation(); row != nil && row.Kind&spec.Atomic != 0 && r.IntN(4) > 0 {
		w.Length = 8
	}
	w.Atomic.Opcode, w.Atomic.Data, w.Atomic.Mask, w.Atomic.Compare, w.Atomic.CompareMask = r.Uint32N(16), operand(r), operand(r), operand(r), operand(r)
	return w
}

// header is what the codec makes of a work request; its length is at most that of a packet.
func (w falconWork) header(order spec.BitOrder) (h falconWorkHeader) {
	row, known := w.Opcode.Operation()
	if !known || row.Source != spec.Initiator || row.Position != spec.Only {
		return h
	}
	h = falconWorkHeader{Any: true, Asks: row.Packet == spec.PullRequest, Write: row.Kind == spec.Write, Send: row.Kind == spec.Send, Word: row.Kind&spec.Atomic != 0,
		Octets: w.Length, HeaderLength: row.HeaderOctets()}
	p := packet.New(row)
	p.SE, p.SRQ = w.Solicited && row.Receives(), w.SRQ
	p.VA, p.RKey, p.SinkVA, p.SinkKey = w.Remote.TO, w.Remote.STag, w.Local.TO, w.Local.STag
	p.Immediate, p.Invalidate, p.Data, p.Compare = uint32(w.Atomic.Data), w.Remote.STag, w.Atomic.Data, w.Atomic.Compare
	h.falconSent = falconSent{Type: row.Packet, Fence: w.Fence, First: true, More: w.More, CID: uint32(w.Remote.TO>>32) % falconConnections}
	if h.Word {
		h.Octets, h.Executor, h.Lacks = 8, 1, w.Length != 8
	}
	p.Length = h.Octets
	if row.Opcode.Service() == spec.UD {
		p.DestinationQP, p.QKey, p.SourceQP = uint32(w.Remote.TO&0xFFFFFF), w.Remote.STag, uint32(w.Stream)
	}
	if row.Carries() {
		p.Payload = make([]byte, w.Length%4+4)
	}
	copy(h.Header[:], p.Encode(nil, order)[:row.HeaderOctets()])
	return h
}

// Every opcode: those of work requests have the headers that the codec encodes for an Only packet, all others are none.
func TestFalconWorkHeaders(t *testing.T) {
	for _, order := range bitOrders {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			b := openRig(t, workHeaders(falconConfig(order, 64)), 1)
			var want []falconWorkHeader
			known := 0
			for i := range 256 * 12 {
				w := randomFalconWork(b.rand, spec.Opcode(i%256))
				send(b, "work", w)
				want = append(want, w.header(order))
			}
			b.rest(20)
			got := received[falconWorkHeader](b, "header")
			require.Len(t, got, len(want))
			for i, h := range got {
				if !want[i].Any {
					require.False(t, h.Any, "opcode %02x", i%256)
					continue
				}
				known++
				require.Equal(t, want[i], h, "opcode %02x", i%256)
				var p packet.Packet
				octets := append(h.Header[:h.HeaderLength:h.HeaderLength], make([]byte, -h.Octets&3+4)...)
				require.NotEqual(t, spec.ShortHeaders, p.Decode(octets, order))
				require.Equal(t, spec.Opcode(i%256), p.Opcode)
			}
			assert.Equal(t, 12*18, known)
		})
	}
}
