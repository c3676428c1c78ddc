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

// crowds causes the same on all QPs at once: returned credits and completions without a request in every cycle, and messages
// that solicit events while the host accepts none.
func (k *corners) crowds() error {
	r, list, err := k.begin()
	if err != nil {
		return err
	}
	order, _ := k.collector.suite.Order()
	const messages = 8
	if err := k.stall("event", stalled); err != nil {
		return err
	}
	for n := range uint32(messages) {
		for _, q := range list {
			k.PostReceive(q.Number, k.Uint64(), golden.Element{Key: memory.STag(cornerRow, r.Key), VA: r.Base, Length: 64})
			x := packet.New(spec.Find(spec.RC, spec.PushRequest, spec.Send, spec.Only, spec.Plain))
			x.DestinationQP, x.SN, x.RMSN, x.SE = q.Number, q.Before+1+n, q.Before+1+n, true
			k.Deliver(falcon.Packet{Type: spec.PushRequest, CID: q.CID, RSN: k.Uint32(), Octets: x.Encode(nil, order)})
		}
	}
	for range 64 {
		for _, q := range list {
			k.Return(q.CID, spec.Credits{RequestTxPackets: k.IntN(2)})
			k.Complete(golden.Completed{CID: q.CID, RSN: k.Uint32(), Code: spec.CompletedAck})
		}
	}
	if _, err := k.Run(20_000, 0); err != nil {
		return err
	}
	early := len(k.Take().Completions)
	if err := errors.Join(k.stall("event", simulator.Stall{}), k.rest()); err != nil {
		return err
	}
	if complete, want := early+len(k.out.Completions), messages*len(list); complete != want || len(k.out.Events) < want-early {
		return wrong("%d messages are complete, with %d events; %d were sent", complete, len(k.out.Events), want)
	}
	for range 64 { // while QPs are set up
		for _, q := range list {
			k.Return(q.CID, spec.Credits{})
		}
	}
	if _, err := k.Run(1, 0); err != nil {
		return err
	}
	if _, err := k.open(); err != nil {
		return err
	}
	return errors.Join(k.rest(), k.Reset())
}

// atomics lets all QPs have as many Atomics as they can while nothing passes a channel. Each has a response, also those that are refused.
func (k *corners) atomics() error {
	order, _ := k.collector.suite.Order()
	for round := range 12 {
		r, list, err := k.begin()
		if err != nil {
			return err
		}
		channel := []string{"m_axi_ar", "m_axi_aw", "m_axi_w", "m_axis_tx"}[round%4]
		if err := k.stall(channel, stalled); err != nil {
			return err
		}
		sent := 0
		for n := range uint32(k.collector.config.IRD) {
			for _, q := range list {
				x := packet.New(spec.Find(spec.RC, spec.PullRequest, []spec.Kind{spec.FetchAdd, spec.CmpSwap}[k.IntN(2)], spec.Only, spec.Plain))
				x.DestinationQP, x.SN, x.RMSN, x.RKey, x.VA = q.Number, q.Before+1+n, q.Before+1+n, memory.STag(cornerRow, r.Key^uint8(round/4%2)), r.Base+8*k.Uint64N([]uint64{1, 16, cornerOctets / 8}[round%3])
				x.SinkVA, x.SinkKey, x.Data, x.Compare = k.Uint64(), k.Uint32(), k.Uint64(), k.Uint64()
				k.Deliver(falcon.Packet{Type: spec.PullRequest, CID: q.CID, RSN: k.Uint32(), Octets: x.Encode(nil, order)})
				sent++
			}
		}
		if _, err := k.Run(3000, 0); err != nil {
			return err
		}
		responses := len(k.Take().Packets)
		if err := errors.Join(k.stall(channel, simulator.Stall{}), k.rest()); err != nil {
			return err
		}
		if responses += len(k.out.Packets); responses != sent {
			return wrong("%d responses to %d Atomics", responses, sent)
		}
	}
	return k.Reset()
}
