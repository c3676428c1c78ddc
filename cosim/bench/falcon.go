package bench

import (
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/falcon"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/block"
	model "github.com/rnicgen/rnicgen/model/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/model/memory"
)

// Cycles before the rate of the profile falcon is measured, and while it is.
const (
	falconWarm  = 400
	falconTimed = 600
)

// falconRig is an engine whose QPs are all RC QPs of one ordering mode, with one region of 1 MiB and all rights.
type falconRig struct {
	*falcon.Device
	config gen.Config
	sn     []uint32 // of the next request, by QP
	rmsn   []uint32
	rsn    []uint32
}

func openFalcon(bus, qps int, ordering spec.Ordering, first spec.Credits) (*falconRig, error) {
	c := gen.DefaultOf(gen.ProfileFalcon)
	c.BusBytes, c.Streams, c.STags, c.ReceiveDepth = bus, max(2, qps), 16, 64
	if qps == 1 { // as many as are in progress
		c.IRD, c.ORD, c.ReceiveDepth, c.SendDepth, c.Window = 256, 256, 1024, 256, 256
	}
	d, err := falcon.Open(c, falcon.Options{Engine: "verilator", Seed: 1, Latency: simulator.Latency{Least: memoryLatency, Most: memoryLatency}, Quick: true})
	if err != nil {
		return nil, err
	}
	rights := memory.RemoteRead | memory.RemoteWrite | memory.RemoteAtomic | memory.LocalWrite | memory.LocalRead
	err = d.SetRegion(1, memory.Region{Valid: true, Rights: rights, ByDomain: true, Length: 1 << 20})
	for qp := range uint32(qps) {
		if err == nil {
			credits := manyCredits
			if qp == 0 {
				credits = first
			}
			err = d.Connect(falcon.QP{Number: qp, Ordering: ordering, Errors: spec.CompleteInError, CID: qp, Credits: credits})
		}
	}
	return &falconRig{d, c, make([]uint32, qps), make([]uint32, qps), make([]uint32, qps)}, err
}

// manyCredits do not run out while something is measured.
var manyCredits = spec.Credits{RequestTxPackets: 30000, RequestTxBuffers: 30000, RequestRxPackets: 30000, RequestRxBuffers: 30000, DataTxPackets: 30000, DataTxBuffers: 30000}

// falconKey is the R-Key of the region.
const falconKey = 1 << 8

// request returns the next request of a QP: one packet with the given number of octets of payload, or of a Read. edit, if not nil, may corrupt it.
func (f *falconRig) request(qp int, kind spec.Kind, octets int, edit func(*packet.Packet)) falcon.Packet {
	t := spec.PushRequest
	if kind&(spec.Read|spec.Atomic) != 0 {
		t = spec.PullRequest
	}
	row := spec.Find(spec.RC, t, kind, spec.Only, spec.Plain)
	p := packet.New(row)
	f.sn[qp]++
	p.DestinationQP, p.SN, p.RKey, p.VA, p.Length, p.Data = uint32(qp), f.sn[qp], falconKey, uint64(f.sn[qp]%512)*1024, uint32(octets), 1
	if kind != spec.Write {
		f.rmsn[qp]++
		p.RMSN = f.rmsn[qp]
	}
	if kind&spec.Atomic != 0 {
		p.VA = 0
	}
	if row.Carries() {
		p.Payload = make([]byte, octets)
	}
	if edit != nil {
		edit(&p)
	}
	f.rsn[qp]++
	return falcon.Packet{Type: t, CID: uint32(qp), RSN: f.rsn[qp], Octets: p.Encode(nil, spec.Drawn)}
}

// rate delivers packets and measures the beats of a stream per cycle, or those accepted of those offered.
func (f *falconRig) rate(packets []falcon.Packet, stream string, offered bool) (float64, error) {
	for _, p := range packets {
		f.Deliver(p)
	}
	if _, err := f.Run(falconWarm, 0); err != nil {
		return 0, err
	}
	before, err := f.Stats(stream)
	if err != nil {
		return 0, err
	}
	if _, err := f.Run(falconTimed, 0); err != nil {
		return 0, err
	}
	after, err := f.Stats(stream)
	if err != nil {
		return 0, err
	}
	for _, a := range f.Take().Answers {
		if a.Reply != spec.Ack {
			return 0, fmt.Errorf("CID %d, RSN %d is answered with %v; allowed: ack", a.CID, a.RSN, a.Reply)
		}
	}
	if offered {
		return float64(after.Beats-before.Beats) / float64(after.Offered-before.Offered), nil
	}
	return float64(after.Beats-before.Beats) / falconTimed, nil
}

// falconTargets measures incoming packets, by kind, ordering mode and number of QPs.
func falconTargets() (out []Figure, err error) {
	for _, width := range block.BusWidths {
		figure, err := falconBeats(width)
		if err != nil {
			return nil, err
		}
		out = append(out, figure)
	}
	for _, x := range []struct {
		name     string
		kind     spec.Kind
		octets   int
		bus, qps int
		ordering spec.Ordering
		reorder  int
		stream   string
		unit     string
		bar      float64
	}{
		{"Sends of 16 octets in, 64 strongly ordered QPs", spec.Send, 16, 64, 64, spec.Strong, 1, "answer", "per cycle", 1},
		{"Sends of 16 octets in, one strongly ordered QP", spec.Send, 16, 64, 1, spec.Strong, 1, "cqe", "per cycle", 1},
		{"Sends of 16 octets in, one weakly ordered QP", spec.Send, 16, 64, 1, spec.Weak, 1, "cqe", "per cycle", 1},
		{"the same, 64 at a time from the last to the first", spec.Send, 16, 64, 1, spec.Weak, 64, "cqe", "per cycle", 1},
		{"Sends of 16 octets in, one unordered QP, 64 at a time from the last to the first", spec.Send, 16, 64, 1, spec.Unordered, 64, "cqe", "per cycle", 1},
		{"FetchAdd on one address, 64 strongly ordered QPs", spec.FetchAdd, 8, 64, 64, spec.Strong, 1, "m_axis_tx", "per cycle", 1},
		{"FetchAdd on one address, one QP, IRRQ 256", spec.FetchAdd, 8, 64, 1, spec.Strong, 1, "m_axis_tx", "per cycle", 1},
		{"Read Responses of 1 KiB, 64 QPs: m_axis_tx busy", spec.Read, 1024, 64, 64, spec.Strong, 1, "m_axis_tx", "of the cycles", 0.99},
	} {
		f, err := openFalcon(x.bus, x.qps, x.ordering, manyCredits)
		if err != nil {
			return nil, err
		}
		n := falconWarm + falconTimed
		if x.kind == spec.Read {
			n = n/16 + 64
		}
		if x.kind == spec.Send {
			for i := range x.qps * f.config.ReceiveDepth {
				f.PostReceive(uint32(i%x.qps), uint64(i), model.Element{Key: falconKey, VA: uint64(i%1024) * 16, Length: 16})
			}
			if _, err := f.Run(1<<14, 300); err != nil {
				return nil, err
			}
			n = min(n, x.qps*f.config.ReceiveDepth)
		}
		var list []falcon.Packet
		for i := range n {
			list = append(list, f.request(i%x.qps, x.kind, x.octets, nil))
		}
		for at := 0; x.reorder > 1 && at+x.reorder <= n; at += x.reorder {
			for i := range x.reorder / 2 {
				list[at+i], list[at+x.reorder-1-i] = list[at+x.reorder-1-i], list[at+i]
			}
		}
		v, err := f.rate(list, x.stream, false)
		if err != nil {
			return out, fmt.Errorf("%s: %w", x.name, err)
		}
		out = append(out, AtLeast(fmt.Sprintf("falcon: %s, memory latency %d, %d-byte bus", x.name, memoryLatency, x.bus), x.unit, v, x.bar))
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// falconBeats is the share of beats that are accepted: Writes of all lengths, and pulls for QPs that are closed.
func falconBeats(width int) (Figure, error) {
	f, err := openFalcon(width, 8, spec.Strong, manyCredits)
	if err != nil {
		return Figure{}, err
	}
	var list []falcon.Packet
	for beats := 0; beats < falconWarm+falconTimed; {
		p := f.request(len(list)%8, spec.Write, len(list)*37%1024, nil)
		list = append(list, p)
		beats += (len(p.Octets) + width - 1) / width
	}
	v, err := f.rate(list, "s_axis_rx", true)
	if err != nil {
		return Figure{}, err
	}
	return AtLeast(fmt.Sprintf("falcon: Writes in, %d-byte bus: beats accepted / offered", width), "%", 100*v, 100), f.Close()
}

// falconInitiators measures outgoing packets while Falcon completes each request immediately.
func falconInitiators() (out []Figure, err error) {
	for _, x := range []struct {
		name   string
		opcode spec.Opcode
		octets uint32
		parts  int // elements of a work request
		qps    int
		bar    float64
	}{
		{"Sends of 16 octets out, 64 QPs: m_axis_tx busy", 0x04, 16, 1, 64, 0.99},
		{"Sends of 16 octets out, one QP: m_axis_tx busy", 0x04, 16, 1, 1, 0.6},
		{"Sends of 16 octets of two elements out, 64 QPs: m_axis_tx busy", 0x04, 16, 2, 64, 0.19},
		{"Writes of 1 KiB out, 64 QPs: m_axis_tx busy", 0x0A, 1024, 1, 64, 0.99},
		{"Writes of 1 KiB of four elements out, 64 QPs: m_axis_tx busy", 0x0A, 1024, 4, 64, 0.84},
		{"Writes of 64 KiB out, one QP: m_axis_tx busy", 0x0A, 1 << 16, 1, 1, 0.99},
		{"Reads of 8 octets out, 64 QPs, answered at once: m_axis_tx busy", 0x0C, 8, 1, 64, 0.99},
		{"FetchAdd out, 64 QPs, answered at once: m_axis_tx busy", 0x14, 8, 1, 64, 0.99},
	} {
		f, err := openFalcon(64, x.qps, spec.Weak, manyCredits)
		if err != nil {
			return nil, err
		}
		v, err := f.send(x.opcode, x.octets, x.parts, x.qps)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", x.name, err)
		}
		out = append(out, AtLeast(fmt.Sprintf("falcon: %s, memory latency %d, 64-byte bus", x.name, memoryLatency), "of the cycles", v, x.bar))
		if err := f.Close(); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// falconSlice is the number of cycles after which sent requests are completed. falconFilled is the cycle by which all queues are full: more cycles
// than there are pulls without a response.
const (
	falconSlice  = 8
	falconFilled = 8000
)

// send posts work requests whose elements, all of the same length, begin at multiples of a beat of memory.
func (f *falconRig) send(opcode spec.Opcode, octets uint32, parts, qps int) (float64, error) {
	open := make([]int, qps)
	var local []model.Element
	for i := range uint64(parts) {
		local = append(local, model.Element{Key: falconKey, VA: (i + 1) << 12, Length: octets / uint32(parts)})
	}
	var before simulator.Stats
	for cycle := 0; cycle < falconFilled+falconTimed; cycle += falconSlice {
		for qp := range open {
			for ; open[qp] < f.config.SendDepth/parts; open[qp]++ {
				f.PostWork(falcon.Work{QP: uint32(qp), Opcode: opcode, Local: local, RKey: falconKey})
			}
		}
		if cycle == falconFilled {
			before, _ = f.Stats("m_axis_tx")
		}
		if _, err := f.Run(falconSlice, 0); err != nil {
			return 0, err
		}
		o := f.Take()
		for _, p := range o.Packets {
			f.finish(p)
		}
		for _, c := range o.Completions {
			if c.Status != model.Success {
				return 0, fmt.Errorf("completion %+v; allowed: success", c)
			}
			open[c.QP]--
		}
	}
	after, err := f.Stats("m_axis_tx")
	return float64(after.Beats-before.Beats) / falconTimed, err
}

// finish completes a request, a pull with its response.
func (f *falconRig) finish(p falcon.Packet) {
	if p.Type == spec.PushRequest {
		f.Complete(model.Completed{CID: p.CID, RSN: p.RSN})
		return
	}
	var q packet.Packet
	q.Decode(p.Octets, spec.Drawn)
	row, _ := q.Opcode.Operation()
	r := packet.New(spec.Find(spec.RC, spec.PullData, row.Kind, spec.Only, spec.Plain))
	r.DestinationQP, r.SN, r.SinkVA, r.SinkKey = p.CID, q.SN, q.SinkVA, q.SinkKey
	if row.Kind == spec.Read {
		r.Payload = make([]byte, q.Length)
	}
	f.Deliver(falcon.Packet{Type: spec.PullData, CID: p.CID, RSN: p.RSN, Octets: r.Encode(nil, spec.Drawn)})
}
