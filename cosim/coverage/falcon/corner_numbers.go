package falcon

import (
	"github.com/rnicgen/rnicgen/cosim/falcon"
	golden "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// roundsOfNumbers is how often all QPs are opened with other numbers.
const roundsOfNumbers = 90

// numbers uses regions of any length anywhere, with rows, domains, keys and elements of any size. All work requests complete, most of them
// because Falcon ends their first packet.
func (k *corners) numbers() error {
	for range roundsOfNumbers {
		list, err := k.open(spec.QPRC, spec.QPRC, spec.QPXRCInitiator, spec.QPUD)
		if err != nil {
			return err
		}
		posted := 0
		for _, q := range list {
			row := k.IntN(k.collector.config.STags)
			r := memory.Region{Valid: true, Key: uint8(k.Uint32()), Rights: memory.Rights(k.Uint32N(64)) | memory.Rights(63*k.IntN(2)), ByDomain: k.IntN(2) == 0, Owner: uint16(q.Number), Length: 64 | k.number(),
				Address: k.Uint64() &^ []uint64{0, 7}[k.IntN(2)], Base: k.Uint64()}
			if r.ByDomain {
				r.Owner = q.Domain
			}
			r.Address, r.Base = min(r.Address, -r.Length), min(r.Base, -r.Length)
			if err := k.SetRegion(row, r); err != nil {
				return err
			}
			if k.use(q, memory.STag(row, r.Key), r) {
				posted++
			}
		}
		if err := k.settle(posted); err != nil {
			return err
		}
	}
	return k.Reset()
}

// use delivers a request to a region, or posts work that uses it.
func (k *corners) use(q falcon.QP, key uint32, r memory.Region) (posts bool) {
	va := r.Base + k.number()%(r.Length-63)
	if k.IntN(4) == 0 {
		key = k.Uint32()
	}
	kind := []spec.Kind{spec.Send, spec.Write, spec.Read, spec.FetchAdd, spec.CmpSwap}[k.IntN(5)]
	element := func() golden.Element {
		return golden.Element{Key: key, VA: va, Length: uint32(k.number())}
	}
	if k.IntN(2) == 0 || q.Type != spec.QPRC {
		w := falcon.Work{QP: q.Number, ID: k.Uint64(), Opcode: falcon.OpcodeOf(q.Type.Service(), kind, spec.Plain), Local: []golden.Element{element()}, VA: k.Uint64(), RKey: k.Uint32(), Data: k.Uint64(), Compare: k.Uint64(),
			Fence: k.IntN(2) == 0, Solicited: k.IntN(2) == 0, SRQ: k.Uint32N(1 << 24)}
		if q.Type == spec.QPUD { // the number of the QP, and of the connection
			w.VA = k.Uint64N(1<<24) | uint64(q.CID)<<32
		}
		if kind&spec.Atomic != 0 {
			w.Local[0].Length = 8
		} else if k.IntN(2) == 0 {
			w.Local = append(w.Local, element(), element())
		}
		k.PostWork(w)
		return true
	}
	t := spec.PushRequest
	if kind&(spec.Read|spec.Atomic) != 0 {
		t = spec.PullRequest
	}
	if kind == spec.Send {
		local := []golden.Element{element()}
		if k.IntN(2) == 0 {
			local = append(local, element(), element())
		}
		if q.Shares {
			k.PostShared(q.Queue, k.Uint64(), local...)
		} else {
			k.PostReceive(q.Number, k.Uint64(), local...)
		}
	}
	suffix := spec.Plain
	if kind == spec.Send && k.IntN(2) == 0 {
		suffix = spec.Invalidate
	}
	x := packet.New(spec.Find(spec.RC, t, kind, spec.Only, suffix))
	x.DestinationQP, x.SN, x.RMSN, x.RKey, x.VA, x.Length, x.SinkVA, x.SinkKey, x.Data, x.Compare, x.Invalidate = q.Number, q.Before+1, q.Before+1, key, va, 48, k.Uint64(), k.Uint32(), k.Uint64(), k.Uint64(), key
	if kind&spec.Atomic != 0 {
		x.VA = r.Base + (x.VA-r.Base)&^7
	}
	if t == spec.PushRequest {
		x.Payload = make([]byte, 48)
	}
	order, _ := k.collector.suite.Order()
	k.Deliver(falcon.Packet{Type: t, CID: q.CID, RSN: k.Uint32(), Octets: x.Encode(nil, order)})
	return false
}

// settle completes each request that is sent, until all work requests are complete.
func (k *corners) settle(posted int) error {
	return k.settleWith(posted, spec.CompletedNRE, spec.CompletedDeadConn)
}

// settleWith completes each request that is sent with one of the codes, until all work requests are complete.
func (k *corners) settleWith(posted int, codes ...spec.Completion) error {
	complete := 0
	for range 300 {
		if _, err := k.Run(500, 200); err != nil {
			return err
		}
		out := k.Take()
		for _, p := range out.Packets {
			if p.Type != spec.PullData {
				k.Complete(golden.Completed{CID: p.CID, RSN: p.RSN, Code: codes[k.IntN(len(codes))]})
			}
		}
		for _, c := range out.Completions {
			if !c.Receive {
				complete++
			}
		}
		if complete == posted && len(out.Packets) == 0 {
			return k.rest()
		}
	}
	return wrong("%d work requests are complete; %d are posted", complete, posted)
}
