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

// departures lets all QPs end while their requests and responses wait for Falcon: memory fails for one of their Writes, or Falcon ends one. All
// work requests complete.
func (k *corners) departures() error {
	order, _ := k.collector.suite.Order()
	const each = 6
	for round := range 8 {
		r, err := k.region()
		if err != nil {
			return err
		}
		failing := simulator.Range{First: r.Address, Last: r.Address + 4095, Reads: true}
		list, err := k.open()
		if err := errors.Join(err, k.Memory().SetErrors(failing), k.stall([]string{"m_axis_tx", "cqe"}[round%2], stalled)); err != nil {
			return err
		}
		key := memory.STag(cornerRow, r.Key)
		for i := range each {
			for _, q := range list {
				at := r.Base + 1<<13
				if i == k.IntN(each) {
					at = r.Base
				}
				k.PostWork(falcon.Work{QP: q.Number, ID: k.Uint64(), Opcode: falcon.OpcodeOf(spec.RC, []spec.Kind{spec.Write, spec.Send}[k.IntN(2)], spec.Plain), VA: k.Uint64(), RKey: k.Uint32(),
					Local: []golden.Element{{Key: key, VA: at, Length: 1 + k.Uint32N(200)}}})
				x := packet.New(spec.Find(spec.RC, spec.PullRequest, spec.Read, spec.Only, spec.Plain))
				x.DestinationQP, x.SN, x.RMSN, x.RKey, x.VA, x.Length = q.Number, q.Before+1+uint32(i), q.Before+1+uint32(i), key, r.Base+1<<13, 8
				k.Deliver(falcon.Packet{Type: spec.PullRequest, CID: q.CID, RSN: k.Uint32(), Octets: x.Encode(nil, order)})
			}
		}
		if _, err := k.Run(4000, 0); err != nil {
			return err
		}
		if err := errors.Join(k.stall("m_axis_tx", simulator.Stall{}), k.stall("cqe", simulator.Stall{}), k.settleWith(each*len(list), spec.CompletedAck, spec.CompletedNRE)); err != nil {
			return err
		}
	}
	return errors.Join(k.Memory().SetErrors(), k.Reset())
}
