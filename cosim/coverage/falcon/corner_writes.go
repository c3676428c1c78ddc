package falcon

import (
	"errors"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// writes lets all QPs get Writes of an MTU while nothing passes a channel of memory. Each is acknowledged.
func (k *corners) writes() error {
	order, _ := k.collector.suite.Order()
	mtu := k.collector.config.MaxPayload
	for _, channel := range []string{"m_axi_w", "m_axi_aw", "m_axi_b"} {
		r, list, err := k.begin()
		if err != nil {
			return err
		}
		if err := k.stall(channel, stalled); err != nil {
			return err
		}
		const each, strays = 2, 4
		for n := range uint32(each) {
			for i, q := range list {
				x := packet.New(spec.Find(spec.RC, spec.PushRequest, spec.Write, spec.Only, spec.Plain))
				if n == 0 && 1 <= i && i <= strays { // a packet of no QP, almost as long as the payload buffer
					x.DestinationQP, x.Payload = 1<<23, make([]byte, 60_000)
					k.Deliver(falcon.Packet{Type: spec.PushRequest, RSN: k.Uint32(), Octets: x.Encode(nil, order)})
				}
				x.DestinationQP, x.SN, x.RKey, x.VA, x.Length, x.Payload = q.Number, q.Before+1+n, memory.STag(cornerRow, r.Key), r.Base+k.Uint64N(cornerOctets-uint64(mtu)), uint32(mtu), make([]byte, mtu)
				k.Deliver(falcon.Packet{Type: spec.PushRequest, CID: q.CID, RSN: k.Uint32(), Octets: x.Encode(nil, order)})
			}
		}
		if _, err := k.Run(10_000, 0); err != nil {
			return err
		}
		answers := k.Take().Answers
		if err := errors.Join(k.stall(channel, simulator.Stall{}), k.rest()); err != nil {
			return err
		}
		replies := map[spec.Reply]int{}
		for _, a := range append(answers, k.out.Answers...) {
			replies[a.Reply]++
		}
		if replies[spec.Ack] != each*len(list) || replies[spec.CID] != min(strays, len(list)-1) {
			return wrong("answers to %d Writes, and to packets of no QP: %v", each*len(list), replies)
		}
	}
	return nil
}

// late makes all QPs fail at once: for errors found in the order of SN, and for memory. Each reports its end, with its cause.
func (k *corners) late() error {
	order, _ := k.collector.suite.Order()
	for range 8 {
		r, err := k.region()
		if err != nil {
			return err
		}
		if err := k.Memory().SetErrors(simulator.Range{First: r.Address, Last: r.Address + r.Length - 1, Writes: true}); err != nil {
			return err
		}
		list, err := k.open(spec.QPRC)
		if err != nil {
			return err
		}
		if err := k.stall("m_axi_b", stalled); err != nil {
			return err
		}
		wrongs, last := map[uint32]spec.Rule{}, []falcon.Packet(nil)
		for i, q := range list {
			q.Ordering, q.Errors, q.Shares = spec.Weak, spec.Verbs, false
			if err := errors.Join(k.CloseQP(q.Number), k.SetUp(q), k.OpenQP(q)); err != nil {
				return err
			}
			x := packet.New(spec.Find(spec.RC, spec.PushRequest, spec.Write, spec.Only, spec.Plain))
			x.DestinationQP, x.SN, x.RKey, x.VA, x.Length, x.Payload = q.Number, q.Before+1, memory.STag(cornerRow, r.Key), r.Base, 64, make([]byte, 64)
			wrongs[q.Number] = spec.None
			if (i+k.IntN(2))%2 == 0 {
				x = packet.New(spec.Find(spec.RC, spec.PushRequest, spec.Send, spec.Only, spec.Plain))
				x.DestinationQP, x.SN, x.RMSN = q.Number, q.Before+1, q.Before+2 // another message precedes it
				wrongs[q.Number] = spec.BadRMSN
				k.PostReceive(q.Number, k.Uint64())
				k.PostReceive(q.Number, k.Uint64())
				last = append(last, falcon.Packet{Type: spec.PushRequest, CID: q.CID, RSN: k.Uint32(), Octets: x.Encode(nil, order)})
				continue
			}
			k.Deliver(falcon.Packet{Type: spec.PushRequest, CID: q.CID, RSN: k.Uint32(), Octets: x.Encode(nil, order)})
		}
		if _, err := k.Run(2000, 500); err != nil {
			return err
		}
		for _, p := range last {
			k.Deliver(p)
		}
		if _, err := k.Run(uint64(1+k.IntN(40)), 0); err != nil {
			return err
		}
		if err := errors.Join(k.stall("m_axi_b", simulator.Stall{}), k.rest()); err != nil {
			return err
		}
		for _, e := range k.out.Events {
			if rule, is := wrongs[e.QP]; !is || rule != e.Rule {
				return wrong("QP %d ends with rule %v", e.QP, e.Rule)
			}
			delete(wrongs, e.QP)
		}
		if len(wrongs) > 0 {
			return wrong("no event of QPs %v", wrongs)
		}
	}
	return errors.Join(k.Memory().SetErrors(), k.Reset())
}
