package falcon

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/cosim/coverage"
	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	golden "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// corners drives a device as the model and random traffic do not: with errors of the host, and with failing memory.
type corners struct {
	*falcon.Device
	*rand.Rand
	collector *collector
	out       falcon.Output
}

// stalled stalls a stream in every cycle.
var stalled = simulator.Stall{Mode: simulator.StallRandom, Chance: always}

func (c *collector) corners() error {
	d, err := c.open(falcon.Options{Seed: 1, Latency: simulator.Latency{Least: 1, Most: 40}})
	if err != nil {
		return err
	}
	k := &corners{Device: d, Rand: rand.New(rand.NewPCG(1, 3)), collector: c}
	for _, part := range []func() error{k.registers, k.refusals, k.failures, k.weights, k.closings, k.misfits, k.numbers, k.writes, k.late, k.departures, k.crowds, k.atomics, k.openings, k.longLived, k.taken, k.returns} {
		if err = part(); err != nil {
			break
		}
	}
	if falcon.IsMismatch(err) {
		err = &coverage.MismatchError{Run: "corners", Text: err.Error()}
	}
	return errors.Join(err, d.Close())
}

func wrong(format string, values ...any) error {
	return &coverage.MismatchError{Run: "corners", Text: fmt.Sprintf(format, values...)}
}

func (k *corners) registers() error { return coverage.CheckRegisters(k.collector.config, k.Device) }

// rest runs the device until it produces no more output, and takes its output. Its inputs enter over several runs.
func (k *corners) rest() error {
	k.out = falcon.Output{}
	for {
		r, err := k.Run(1<<20, 500)
		if err == nil && r.Why != simulator.Quiet {
			err = wrong("the device is not quiet: %v", r.Why)
		}
		out := k.Take()
		if err != nil || len(out.Packets)+len(out.Answers)+len(out.Completions)+len(out.Events) == 0 {
			return err
		}
		k.out.Packets, k.out.Answers = append(k.out.Packets, out.Packets...), append(k.out.Answers, out.Answers...)
		k.out.Completions, k.out.Events = append(k.out.Completions, out.Completions...), append(k.out.Events, out.Events...)
	}
}

// stall stalls a stream.
func (k *corners) stall(name string, s simulator.Stall) error {
	i, err := k.collector.design.Stream(name)
	if err != nil {
		return err
	}
	return k.Engine().SetStall(i, s)
}

// number draws a number with a uniformly distributed bit length.
func (k *corners) number() uint64 { return k.Uint64() >> k.IntN(64) }

// cornerRow is a row with all rights to a region, whose first octet is at this VA.
const (
	cornerRow    = 3
	cornerOctets = 1 << 20
	cornerDomain = 0x1234
)

// region registers the region of a corner.
func (k *corners) region() (memory.Region, error) {
	r := memory.Region{Valid: true, Key: uint8(k.Uint32()), Rights: 31, ByDomain: true, Owner: cornerDomain, Length: cornerOctets, Address: min(k.Uint64(), 1<<64-cornerOctets) &^ 0xFFF, Base: min(k.Uint64(), 1<<64-cornerOctets)}
	return r, k.SetRegion(cornerRow, r)
}

// open opens all QPs in a random mode, each with a connection of its own; with types, of one of these, and some with a shared queue.
func (k *corners) open(types ...spec.QPType) (list []falcon.QP, err error) {
	for n := range uint32(k.collector.config.Streams) {
		q := falcon.QP{Number: n, CID: n, Ordering: spec.Ordering(k.IntN(3)), Errors: spec.ErrorMode(k.IntN(2)), Domain: cornerDomain, QKey: k.Uint32(), Remote: k.Uint32N(1 << 24), RSN: k.Uint32(), Before: k.Uint32(),
			RNRTimeout: uint8(k.IntN(31)), Credits: spec.Credits{RequestTxPackets: 1 << 14, RequestTxBuffers: 1 << 14, RequestRxPackets: 1 << 14, RequestRxBuffers: 1 << 14, DataTxPackets: 1 << 14, DataTxBuffers: 1 << 14}}
		if len(types) > 0 {
			q.Type = types[k.IntN(len(types))]
		}
		q.ORD = k.IntN(k.collector.config.ORD + 1)
		if q.Ordering == spec.Unordered {
			q.Errors = spec.CompleteInError
		}
		if q.Type == spec.QPRC && len(types) > 0 && k.IntN(2) == 0 {
			q.Shares, q.Queue = true, n
		}
		list = append(list, q)
		if err = errors.Join(err, k.CloseQP(n)); q.Shares {
			err = errors.Join(err, k.SetQueue(n, 0))
		}
		err = errors.Join(err, k.SetUp(q), k.OpenQP(q))
	}
	return list, err
}

// refusals posts more receives than queues hold, single ones and lists, while the host takes no events.
func (k *corners) refusals() error {
	list, err := k.open()
	depth, want := k.collector.config.ReceiveDepth, 0
	for _, q := range list {
		err = errors.Join(err, k.SetQueue(q.Number, 0))
	}
	err = errors.Join(err, k.stall("event", stalled))
	for _, q := range list {
		for i := range depth + 2 {
			local := make([]golden.Element, 1+i%2) // the last list does not find a place
			k.PostReceive(q.Number, k.Uint64(), local...)
			k.PostShared(q.Number, k.Uint64(), local...)
		}
		want += 4
	}
	if _, runs := k.Run(100_000, 0); runs != nil {
		return errors.Join(err, runs)
	}
	err = errors.Join(err, k.stall("event", simulator.Stall{}), k.rest())
	if err == nil && len(k.out.Events) != want {
		err = wrong("%d receives are refused; %d are too many", len(k.out.Events), want)
	}
	return errors.Join(err, k.Reset())
}

// failures repeatedly makes memory fail for all QPs at once, in all units that use it. Each QP reports its end, and is opened again.
func (k *corners) failures() error {
	order, err := k.collector.suite.Order()
	for round := 0; round < 30 && err == nil; round++ {
		r, err := k.region()
		if err != nil {
			return err
		}
		if err := k.Memory().SetErrors(simulator.Range{First: r.Address, Last: r.Address + r.Length - 1, Reads: true, Writes: true, Decode: round%2 == 0}); err != nil {
			return err
		}
		list, err := k.open()
		if err != nil {
			return err
		}
		for _, q := range list {
			key, va := memory.STag(cornerRow, r.Key), r.Base+8*k.Uint64N(cornerOctets/8-64)
			kind := []spec.Kind{spec.Send, spec.Write, spec.Read, spec.FetchAdd}[k.IntN(4)]
			if k.IntN(3) == 0 {
				k.PostWork(falcon.Work{QP: q.Number, ID: k.Uint64(), Opcode: falcon.OpcodeOf(spec.RC, spec.Write, spec.Plain), Local: []golden.Element{{Key: key, VA: va, Length: 1 + k.Uint32N(64)}}})
				continue
			}
			if kind == spec.Send {
				k.PostReceive(q.Number, k.Uint64(), golden.Element{Key: key, VA: va, Length: 64})
			}
			t := spec.PushRequest
			if kind&(spec.Read|spec.Atomic) != 0 {
				t = spec.PullRequest
			}
			x := packet.New(spec.Find(spec.RC, t, kind, spec.Only, spec.Plain))
			x.DestinationQP, x.SN, x.RMSN, x.RKey, x.VA, x.Length = q.Number, q.Before+1, q.Before+1, key, va, 64
			if t == spec.PushRequest {
				x.Payload = make([]byte, 64)
			}
			k.Deliver(falcon.Packet{Type: t, CID: q.CID, RSN: k.Uint32(), Octets: x.Encode(nil, order)})
		}
		if err := k.rest(); err != nil {
			return err
		}
		ended := map[uint32]bool{}
		for _, e := range k.out.Events {
			ended[e.QP] = true
		}
		if len(ended) != len(list) {
			return wrong("memory fails for %d QPs; %d have an event", len(list), len(ended))
		}
		if err := k.log(); err != nil {
			return err
		}
	}
	return errors.Join(err, k.Memory().SetErrors(), k.Reset())
}

// begin registers a region and opens all QPs.
func (k *corners) begin(types ...spec.QPType) (r memory.Region, list []falcon.QP, err error) {
	if r, err = k.region(); err == nil {
		list, err = k.open(types...)
	}
	return r, list, err
}

// log reads the log of errors until it is empty.
func (k *corners) log() error {
	for {
		if is, err := k.ReadRegister("error_log"); err != nil || is == 0 {
			return err
		}
	}
}

// weights lets all QPs send long Writes with any weight; each that is not silent completes.
func (k *corners) weights() error {
	const writes = 3 // that are not silent
	r, list, err := k.begin()
	if err != nil {
		return err
	}
	for _, q := range list {
		if err := k.SetWeight(q.Number, uint32(k.IntN(16))); err != nil {
			return err
		}
		for i := range 2 * writes {
			k.PostWork(falcon.Work{QP: q.Number, ID: k.Uint64(), Silent: i%2 == 0, Opcode: falcon.OpcodeOf(spec.RC, spec.Write, spec.Plain), VA: k.Uint64(), RKey: k.Uint32(),
				Local: []golden.Element{{Key: memory.STag(cornerRow, r.Key), VA: r.Base + k.Uint64N(1<<16), Length: uint32(k.number() % (1 << 13))}}})
		}
	}
	complete := 0
	for range 400 {
		if _, err := k.Run(2000, 300); err != nil {
			return err
		}
		out := k.Take()
		for _, p := range out.Packets {
			k.Complete(golden.Completed{CID: p.CID, RSN: p.RSN, Code: spec.CompletedAck})
		}
		complete += len(out.Completions)
	}
	if complete != writes*len(list) {
		return wrong("%d Writes complete; %d are not silent", complete, writes*len(list))
	}
	return nil
}

// closings closes QPs that have not failed, and opens them again.
func (k *corners) closings() error {
	for n := range uint32(k.collector.config.Streams) {
		if err := k.CloseQP(n); err != nil {
			return err
		}
	}
	_, err := k.open()
	return errors.Join(err, k.rest())
}

// misfits posts lists of more elements than a QP may have, and of 2^32 octets: they are refused, and the QPs go on.
func (k *corners) misfits() error {
	list, err := k.open()
	if err != nil {
		return err
	}
	for _, q := range list {
		for _, local := range [][]golden.Element{make([]golden.Element, k.collector.config.SendDepth+1+k.IntN(3)), {{Length: 1 << 31}, {Length: 1 << 31}}} {
			k.PostWork(falcon.Work{QP: q.Number, ID: k.Uint64(), Opcode: falcon.OpcodeOf(spec.RC, spec.Write, spec.Plain), Local: local})
		}
	}
	if err := k.rest(); err != nil {
		return err
	}
	if len(k.out.Completions) != 2*len(list) || len(k.out.Events) > 0 || len(k.out.Packets) > 0 {
		return wrong("%d completions, %d events and %d packets of %d lists that are refused", len(k.out.Completions), len(k.out.Events), len(k.out.Packets), 2*len(list))
	}
	for _, c := range k.out.Completions {
		if c.Status != golden.LocalProtection {
			return wrong("a list that is refused completes with %v", c.Status)
		}
	}
	return nil
}
