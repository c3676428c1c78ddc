package falcon

import (
	"errors"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// returns gives back credits of responses while nothing is sent: responses of half the connections wait for them, those of the others fill the
// transmit side. All responses are sent in the end.
func (k *corners) returns() error {
	r, list, err := k.begin(spec.QPRC)
	if err != nil {
		return err
	}
	order, _ := k.collector.suite.Order()
	poor, rich := list[:len(list)/2], list[len(list)/2:]
	for _, q := range poor {
		q.Credits.DataTxPackets, q.Credits.DataTxBuffers = 0, 0
		if err := errors.Join(k.CloseQP(q.Number), k.SetUp(q), k.OpenQP(q)); err != nil {
			return err
		}
	}
	ask := func(q falcon.QP, n uint32) {
		x := packet.New(spec.Find(spec.RC, spec.PullRequest, spec.FetchAdd, spec.Only, spec.Plain))
		x.DestinationQP, x.SN, x.RMSN, x.RKey, x.VA = q.Number, q.Before+n, q.Before+n, memory.STag(cornerRow, r.Key), r.Base+8*uint64(q.Number)
		k.Deliver(falcon.Packet{Type: spec.PullRequest, CID: q.CID, RSN: k.Uint32(), Octets: x.Encode(nil, order)})
	}
	for _, q := range poor {
		ask(q, 1)
	}
	if err := k.rest(); err != nil {
		return err
	}
	if len(k.out.Packets) > 0 {
		return wrong("%d responses leave without credits", len(k.out.Packets))
	}
	if err := k.stall("m_axis_tx", stalled); err != nil {
		return err
	}
	const each = 4
	for n := range uint32(each) {
		for _, q := range rich {
			ask(q, 1+n)
		}
	}
	if _, err := k.Run(3000, 0); err != nil {
		return err
	}
	for _, q := range poor {
		k.Return(q.CID, spec.Credits{DataTxPackets: 1, DataTxBuffers: 1})
	}
	if _, err := k.Run(1000, 0); err != nil {
		return err
	}
	early := len(k.Take().Packets)
	if err := errors.Join(k.stall("m_axis_tx", simulator.Stall{}), k.rest()); err != nil {
		return err
	}
	if leave, want := early+len(k.out.Packets), len(poor)+each*len(rich); leave != want {
		return wrong("%d responses to %d Atomics", leave, want)
	}
	return k.Reset()
}
