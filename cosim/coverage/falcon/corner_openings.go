package falcon

import (
	"errors"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	golden "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// openings repeatedly opens a QP while all others are busy: requests arrive, responses leave, work requests are posted, and packets of Writes
// complete while others wait for credits. All work requests complete.
func (k *corners) openings() error {
	order, _ := k.collector.suite.Order()
	for range 8 {
		r, list, err := k.begin(spec.QPRC)
		if err != nil {
			return err
		}
		const late, credits = 10, 8
		post := func(q falcon.QP) {
			kind := []spec.Kind{spec.Read, spec.Write}[k.IntN(2)]
			k.PostWork(falcon.Work{QP: q.Number, ID: k.Uint64(), Opcode: falcon.OpcodeOf(spec.RC, kind, spec.Plain), VA: k.Uint64(), RKey: k.Uint32(), Local: []golden.Element{{Key: k.Uint32(), VA: k.Uint64()}}})
		}
		first, busy := list[0], list[1:]
		for i := range busy {
			q := &busy[i]
			q.Credits.RequestTxPackets, q.Errors = credits, spec.CompleteInError
			if err := errors.Join(k.CloseQP(q.Number), k.SetUp(*q), k.OpenQP(*q)); err != nil {
				return err
			}
			k.PostWork(falcon.Work{QP: q.Number, ID: k.Uint64(), Opcode: falcon.OpcodeOf(spec.RC, spec.Write, spec.Plain), VA: k.Uint64(), RKey: k.Uint32(),
				Local: []golden.Element{{Key: memory.STag(cornerRow, r.Key), VA: r.Base, Length: uint32(k.collector.config.MaxPayload) * (credits + 2)}}})
		}
		var sent []falcon.Packet
		for range 300 {
			if _, err := k.Run(1000, 500); err != nil {
				return err
			}
			sent = append(sent, k.Take().Packets...)
		}
		if len(sent) != credits*len(busy) {
			return wrong("%d packets leave with %d credits for each of %d QPs", len(sent), credits, len(busy))
		}
		if err := k.stall("m_axis_tx", stalled); err != nil {
			return err
		}
		half := uint32(k.collector.config.IRD / 2)
		ask := func(q falcon.QP, n uint32) {
			x := packet.New(spec.Find(spec.RC, spec.PullRequest, spec.FetchAdd, spec.Only, spec.Plain))
			x.DestinationQP, x.SN, x.RMSN, x.RKey, x.VA = q.Number, q.Before+1+n, q.Before+1+n, memory.STag(cornerRow, r.Key), r.Base+8*uint64(q.Number)
			k.Deliver(falcon.Packet{Type: spec.PullRequest, CID: q.CID, RSN: k.Uint32(), Octets: x.Encode(nil, order)})
		}
		for n := range half {
			for _, q := range busy {
				ask(q, n)
			}
		}
		if _, err := k.Run(3000, 0); err != nil {
			return err
		}
		for n := range uint32(credits) { // one of each QP after the other
			for _, p := range sent {
				if p.RSN == list[p.CID].RSN+n {
					k.Complete(golden.Completed{CID: p.CID, RSN: p.RSN, Code: spec.CompletedAck})
				}
			}
		}
		for n := range half {
			for _, q := range busy {
				at := n
				if q.Ordering != spec.Strong { // those before it are missing
					at = half - 1 - n
				}
				ask(q, half+at)
			}
		}
		for range late {
			for _, q := range busy {
				post(q)
			}
		}
		random := func(chance int) simulator.Stall { return simulator.Stall{Mode: simulator.StallRandom, Chance: chance} }
		if err := errors.Join(k.stall("m_axis_tx", random(70)), k.stall("s_axis_rx", random(140))); err != nil {
			return err
		}
		for range 6 {
			if _, err := k.Run(1, 0); err != nil {
				return err
			}
			if err := errors.Join(k.CloseQP(first.Number), k.SetUp(first), k.OpenQP(first)); err != nil {
				return err
			}
		}
		for _, q := range busy {
			k.Return(q.CID, spec.Credits{RequestTxPackets: 2 + late})
		}
		if err := errors.Join(k.stall("m_axis_tx", simulator.Stall{}), k.stall("s_axis_rx", simulator.Stall{}), k.settle((1+late)*len(busy))); err != nil {
			return err
		}
	}
	return k.Reset()
}
