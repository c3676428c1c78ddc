package falcon

import (
	"errors"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	golden "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// longLived lets messages of a QP take more receives of a shared queue than its counts have numbers. Each completes.
func (k *corners) longLived() error {
	_, list, err := k.begin(spec.QPRC)
	if err != nil {
		return err
	}
	order, _ := k.collector.suite.Order()
	q, depth := list[0], k.collector.config.ReceiveDepth
	q.Ordering, q.Errors, q.Shares, q.Queue = spec.Strong, spec.CompleteInError, true, q.Number
	if err := errors.Join(k.CloseQP(q.Number), k.SetQueue(q.Queue, 0), k.SetUp(q), k.OpenQP(q)); err != nil {
		return err
	}
	for n := uint32(1); n < 2200; {
		for range depth {
			k.PostShared(q.Queue, k.Uint64(), golden.Element{Key: k.Uint32(), VA: k.Uint64()})
		}
		if err := k.rest(); err != nil {
			return err
		}
		for range depth {
			x := packet.New(spec.Find(spec.RC, spec.PushRequest, spec.Send, spec.Only, spec.Plain))
			x.DestinationQP, x.SN, x.RMSN = q.Number, q.Before+n, q.Before+n
			k.Deliver(falcon.Packet{Type: spec.PushRequest, CID: q.CID, RSN: k.Uint32(), Octets: x.Encode(nil, order)})
			n++
		}
		if err := k.rest(); err != nil {
			return err
		}
		if len(k.out.Completions) != depth {
			return wrong("%d of %d receives complete", len(k.out.Completions), depth)
		}
	}
	return k.Reset()
}

// taken ends QPs while their Sends take receives of a shared queue: by a Write ahead of some of them whose key is wrong, or by the host. Each receive that was
// taken completes.
func (k *corners) taken() error {
	order, _ := k.collector.suite.Order()
	_, list, err := k.begin(spec.QPRC)
	if err != nil {
		return err
	}
	depth := k.collector.config.ReceiveDepth
	for _, q := range list {
		q.Ordering, q.Errors, q.Shares, q.Queue = spec.Ordering(k.IntN(2)), spec.Verbs, true, q.Number
		if err := errors.Join(k.CloseQP(q.Number), k.SetQueue(q.Queue, 0), k.SetUp(q), k.OpenQP(q)); err != nil {
			return err
		}
		for range depth {
			k.PostShared(q.Queue, k.Uint64())
		}
		if err := errors.Join(k.rest(), k.stall("s_axis_rx", simulator.Stall{Mode: simulator.StallRandom, Chance: k.IntN(240)})); err != nil {
			return err
		}
		fatal := k.IntN(2 * depth)
		for n := range depth {
			x := packet.New(spec.Find(spec.RC, spec.PushRequest, spec.Send, spec.Only, spec.Plain))
			x.RMSN = q.Before + 1 + uint32(n)
			if n > fatal {
				x.RMSN--
			} else if n == fatal {
				x = packet.New(spec.Find(spec.RC, spec.PushRequest, spec.Write, spec.Only, spec.Plain))
				x.RKey, x.Length, x.Payload = 1<<31, 4, make([]byte, 4)
			}
			x.DestinationQP, x.SN = q.Number, q.Before+1+uint32(n)
			k.Deliver(falcon.Packet{Type: spec.PushRequest, CID: q.CID, RSN: k.Uint32(), Octets: x.Encode(nil, order)})
		}
		if _, err := k.Run(1, 0); err != nil {
			return err
		}
		if err := errors.Join(k.Fail(q.Number), k.rest()); err != nil {
			return err
		}
		acknowledged := 0
		for _, a := range k.out.Answers {
			if a.Reply == spec.Ack {
				acknowledged++
			}
		}
		if complete := len(k.out.Completions); complete < acknowledged || complete > depth {
			return wrong("%d of %d receives complete; %d Sends are acknowledged", complete, depth, acknowledged)
		}
	}
	return errors.Join(k.stall("s_axis_rx", simulator.Stall{}), k.Reset())
}
