package rdmap

import (
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// commitPairs tests requests and responses of the extension with every pair of faults (I-53).
func commitPairs(l *list) {
	pairsOf(l, commitPairables())
}

func commitPairables() (list []*pairable) {
	nothing := func(*T, *pairable) {}
	named := func(segment func(msn uint32, k wire.Sink) []byte) func(t *T, b rdmap.Buffer) []byte {
		return func(t *T, b rdmap.Buffer) []byte {
			return segment(t.msn(0, wire.QueueRequest), wire.Sink{STag: b.STag, TO: b.TO, Length: 8})
		}
	}
	invalidate := fault{name: "invalidate", field: "invalidate", segment: field(wire.DDPUntaggedTable, "invalidate_stag", 0xFFFF_FF00)}
	// in changes a field of the header after the DDP header, if it is there.
	in := func(table *wire.Table, name string, value uint64) func(b []byte) []byte {
		return func(b []byte) []byte {
			if len(b) < untaggedOctets+table.Octets {
				return b
			}
			return set(b, untaggedOctets, table, name, value)
		}
	}
	for _, o := range commitOps {
		m := &pairable{name: o.name + "_request", what: o.what, op: o.op, right: o.right, ready: nothing, region: func(r *memory.Region) {
			r.Rights |= bothReaches | memory.Verifiable
			r.Attributes = memory.Attributes{Type: memory.Flushable, Hash: memory.CRC32C}
		}}
		m.make = named(func(msn uint32, k wire.Sink) []byte { return o.segment(msn, 0, k) })
		region := ofRegion(o.right)
		region[2].row = func(r *memory.Region) { r.Rights &^= o.right }
		m.faults = append(ofHeader(m), beyondIRD)
		switch o {
		case &aFlush:
			m.faults = append(append(m.faults, fault{name: "flags", field: "flags", segment: in(wire.FlushRequestTable, "disposition_flags", 4)}), region...)
		case &aVerify:
			m.make = named(func(msn uint32, k wire.Sink) []byte {
				return wire.AppendVerifyRequest(nil, msn, 0, wire.VerifyRequest{Sink: k, Hash: pattern(4)})
			})
			region[4].row = func(r *memory.Region) { r.Length = 4 }
			m.faults = append(append(m.faults, region...), fault{name: "hash", field: "hash", row: func(r *memory.Region) { r.Attributes.Hash = memory.SHA256 }})
			m.faults = withoutFault(m.faults, "length") // one octet more is a longer hash
		default:
			m.faults = append(append(m.faults, fault{name: "data_length", field: "data_length", segment: in(wire.AtomicWriteRequestTable, "data_sink_length", 7)}), region...)
			m.faults = append(m.faults, fault{name: "alignment", field: "to", buffer: func(b *rdmap.Buffer) { b.TO += 4 }})
		}
		m.faults = append(m.faults, invalidate)
		list = append(list, m)

		r := &pairable{name: o.name + "_response", what: "the response to " + o.what, op: o.response, isResponse: true, right: memory.LocalWrite,
			make: func(*T, rdmap.Buffer) []byte { return replyOf(o.response, 1) }}
		r.ready = func(t *T, _ *pairable) {
			if o == &aVerify {
				t.postVerify(0, near, 0, 8, memory.CRC64NVMe, nil)
				return
			}
			t.postOp(0, o)
		}
		r.faults = append(ofHeader(r), fault{name: "none", field: "ready", ready: nothing},
			fault{name: "to_read", field: "ready", ready: func(t *T, _ *pairable) { t.postRead(0, near, 0, 8) }})
		if o == &aVerify {
			r.faults = append(append(r.faults, ofRegion(memory.LocalWrite)[1:3:3]...), fault{name: "bounds", field: "size", row: func(r *memory.Region) { r.Length = 4 }})
		}
		list = append(list, r)
	}
	return list
}

func withoutFault(faults []fault, name string) (list []fault) {
	for _, f := range faults {
		if f.name != name {
			list = append(list, f)
		}
	}
	return list
}
