package gen_test

import (
	"bytes"

	"github.com/stretchr/testify/require"

	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// openPull is a pull of this node without a response.
type openPull struct {
	cid, rsn uint32
	kind     spec.Kind
	q        model.QPConfig
}

// ask posts Reads and Atomics, and hands out as many pulls as may be open.
func (r *checkRound) ask() {
	for n, p := range r.peers {
		if !p.q.Type.Connected() || !p.q.Type.Initiates() || r.model.InError(uint32(n)) {
			continue
		}
		for range 2 {
			w := model.WorkRequest{QP: uint32(n), Kind: []spec.Kind{spec.Read, spec.CmpSwap, spec.FetchAdd}[r.rand.IntN(3)], VA: r.rand.Uint64(), RKey: 1,
				Local: []model.Element{{Key: checkKey(4), VA: checkVA + checkSink + 0x100*uint64(r.rand.IntN(0x100)), Length: uint32(1 + r.rand.IntN(3*r.c.MaxPayload))}}}
			if r.rand.IntN(4) == 0 { // a key that the peer may invalidate
				w.Local[0].Key, w.Local[0].VA = checkKey(6), checkVA+checkSpare+0x100*uint64(r.rand.IntN(0x100))
			}
			if w.Kind != spec.Read {
				w.Local[0].Length = 8
			}
			_ = r.model.Post(w) // the queue may be full
		}
		for t, some := r.model.Transmit(uint32(n)); some; t, some = r.model.Transmit(uint32(n)) {
			var x packet.Packet
			require.Equal(r.t, spec.None, x.Decode(t.Octets, r.order()))
			row, _ := x.Opcode.Operation()
			length := x.Length
			if row.Kind != spec.Read {
				length = 8
			}
			r.asked[[2]uint32{t.CID, t.RSN}] = askedPull{stream: n, sn: x.SN, atomic: row.Kind != spec.Read, sink: model.Element{Key: x.SinkKey, VA: x.SinkVA, Length: length}}
			r.open = append(r.open, openPull{t.CID, t.RSN, row.Kind, p.q})
		}
		if r.model.InError(uint32(n)) { // a buffer of its own does not allow the access
			r.fail(n)
		}
	}
	r.settle()
}

// fail tells falcon_check that a QP of the model is in Error.
func (r *checkRound) fail(n int) {
	for key, p := range r.asked {
		if p.stream == n {
			delete(r.asked, key)
		}
	}
	faults := []spec.Rule{0, spec.RKeyUnknown, spec.Incomplete, spec.BadRMSN, spec.OutOfPlace, spec.SNGap}
	fault := r.rand.IntN(len(faults))
	r.ends = append(r.ends, checkDecided{stream: n, rule: faults[fault]})
	send(r.rig, "failure", failureBeat{Stream: n, Fault: fault})
}

// answer sends the response to an open pull, if there is one; a hostile peer changes it.
func (r *checkRound) answer() bool {
	if len(r.open) == 0 {
		return false
	}
	i := r.rand.IntN(len(r.open))
	o := r.open[i]
	r.open = append(r.open[:i], r.open[i+1:]...)
	p := r.peers[o.q.Number]
	pull, is := r.asked[[2]uint32{o.cid, o.rsn}]
	if !is { // its QP is in Error
		return false
	}
	kind := o.kind
	row := spec.Find(o.q.Type.Service(), spec.PullData, kind, spec.Only, spec.Plain)
	if kind == spec.Read && r.rand.IntN(4) == 0 {
		row = spec.Find(o.q.Type.Service(), spec.PullData, kind, []spec.Position{spec.First, spec.Middle, spec.Last}[r.rand.IntN(3)], spec.Plain)
	}
	x := packet.New(row)
	x.DestinationQP, x.SN, x.SinkVA, x.SinkKey, x.Original = o.q.Number, pull.sn, pull.sink.VA, pull.sink.Key, r.rand.Uint64()
	if kind == spec.Read {
		x.Payload = make([]byte, pull.sink.Length)
		for i := range x.Payload {
			x.Payload[i] = byte(r.rand.Uint32())
		}
	}
	opcode := x.Opcode
	if r.rand.IntN(256) < 4*p.hostile {
		switch r.rand.IntN(8) {
		case 0:
			x.SN ^= 1 << r.rand.IntN(32)
		case 1:
			x.SinkVA ^= 1 << r.rand.IntN(64)
		case 2:
			x.SinkKey ^= 1 << r.rand.IntN(32)
		case 3:
			x.CE = true
		case 4:
			x.Payload = append(x.Payload, 1)
		case 5:
			x.DestinationQP ^= 1 << r.rand.IntN(24)
		case 6:
			opcode ^= []spec.Opcode{1 << r.rand.IntN(8), spec.Opcode(spec.XRC) << 5}[r.rand.IntN(2)] // also the same of RC and XRC
		case 7:
			x.Version = 2
		}
	}
	octets := x.Encode(nil, r.order())
	spec.RBTH.Table(r.order()).MustField("opcode").Set(octets, uint64(opcode))
	if r.rand.IntN(1024) < p.hostile {
		octets = octets[:r.rand.IntN(len(octets))]
	}
	r.packet(checkPacket{falconTransaction{Type: spec.PullData, RSN: o.rsn, CID: o.cid}, octets})
	return true
}

// compareMemory compares what was placed with the model's memory, unless the model went on with what falcon_check does not see.
func (r *checkRound) compareMemory() {
	if len(r.lost) > 0 {
		return
	}
	for _, at := range []uint64{checkReceive, checkRemote, checkSink, checkSpare} {
		require.True(r.t, bytes.Equal(r.model.Memory().Append(nil, at, 0x1_0000), r.shadow.Append(nil, at, 0x1_0000)), "%x", at)
	}
}
