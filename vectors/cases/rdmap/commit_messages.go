package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// cited completes ids of the draft's catalogue.
func cited(rows ...string) (ids []string) {
	for _, r := range rows {
		ids = append(ids, "COMMIT01-"+r)
	}
	return ids
}

// commitBasics tests every message of the extension.
func commitBasics(l *list) {
	add := func(key, comment string, o *commitOp, write func(t *T), cites ...string) *Case {
		return l.add("commit/in/"+key, comment, flags(Basic, o.flag), write).cite(cited(cites...)...)
	}
	for stream := range 2 {
		on := fmt.Sprintf("/stream%d", stream)
		for _, f := range []struct {
			name, what string
			flags      wire.Disposition
			rows       []string
		}{
			{"persistence", "to persistence", wire.Persistence, []string{"2-04", "3.1.1.1-10", "2.1-05", "2-13"}},
			{"visibility", "to global visibility", wire.GlobalVisibility, []string{"2-05", "3.1.1.1-11", "2.1-05"}},
			{"both", "to persistence and global visibility", bothFlags, []string{"3.1.1.1-11", "1.1-06", "3.1.1-06"}},
		} {
			add("flush/"+f.name+on, fmt.Sprintf("an RDMA Flush of 21 octets %s on stream %d", f.what, stream), &aFlush, func(t *T) {
				t.write(stream, target, 5, pattern(21))
				t.flush(stream, target, 5, 21, f.flags)
			}, f.rows...)
		}
		for _, name := range []string{target, bottom, shared} {
			add("verify/"+name+on, fmt.Sprintf("an RDMA Verify of 21 octets of %s on stream %d, without a hash", name, stream), &aVerify, func(t *T) {
				t.verify(stream, name, 5, 21, nil)
			}, "2.3-06", "2.3-07", "2.4-08", "2-10", "3.1.2.2-05")
			add("verify/"+name+"/expected"+on, fmt.Sprintf("an RDMA Verify of 21 octets of %s on stream %d, with the hash that it has", name, stream), &aVerify, func(t *T) {
				t.verify(stream, name, 5, 21, t.digest(name, 5, 21))
			}, "2.3-02", "2.3-03", "2.3-08", "2-10", "3.1.2.1-07")
		}
		add("atomic_write"+on, fmt.Sprintf("an Atomic Write on stream %d", stream), &anAtomicWord, func(t *T) { t.atomicWrite(stream, shared, 16, data) }, "3.1.3.1-11", "2.2-04")
		for _, o := range commitOps {
			add(o.name+"_response"+on, fmt.Sprintf("%s by stream %d of this end, and its response", o.what, stream), o, func(t *T) {
				t.postOp(stream, o)
				t.replyTo(stream, o)
			}, "4-46")
		}
	}
	for _, o := range commitOps {
		for _, m := range []struct{ name, what string }{{"request", "the reserved RDMAP bit"}, {"response", "the reserved RDMAP bit, and an Invalidate STag"}} {
			l.add("commit/ignored/"+o.name+"_"+m.name, "the "+m.name+" of "+o.what+" with "+m.what+": ignored", flags(ReservedBits, o.flag), func(t *T) {
				if m.name == "request" {
					b := o.segment(1, 0, t.sinkAt(shared, 0, 8))
					b[0], b[1] = b[0]|0x3C, b[1]|0x20
					t.in(0, b)
					return
				}
				t.postOp(0, o)
				b := set(replyOf(o.response, 1), 0, wire.DDPUntaggedTable, "invalidate_stag", 0xFFFF_FFFF)
				b[0], b[1] = b[0]|0x3C, b[1]|0x20
				t.in(0, b)
			}).cite(cited("3.1-03", "3.1-20")...).decides("I-57")
		}
	}
	for op := spec.AllExtensions.Count(); op < 1<<spec.MaxOpcodeBits; op++ {
		l.add(fmt.Sprintf("commit/opcode/%x", op), fmt.Sprintf("a segment on queue 1 with opcode 0x%X", op), flags(UnknownOpcode), func(t *T) {
			_, table := wire.DDPTables(spec.AllExtensions)
			t.in(0, set(aFlush.segment(1, 0, t.sinkAt(shared, 0, 8)), 0, table, "opcode", uint64(op)))
		}).ends().cite(cited("3.1-07", "3.1-05", "3.1.4-06")...).decides("I-15")
	}
}

// commitSizes tests ranges of all lengths, at the edges of regions and across boundaries of addresses.
func commitSizes(l *list) {
	for _, n := range []int{0, 1, 7, 8, 9, 63, 64, 65, 255, 256, 1000} {
		l.add(fmt.Sprintf("commit/flush/length_%d", n), fmt.Sprintf("an RDMA Flush of %d octets", n), flags(RDMAFlush, RegionEdge), func(t *T) {
			t.flush(0, target, 3, n, bothFlags)
		}).cite(cited("3.1.1.1-07")...)
	}
	l.add("commit/flush/longest", "an RDMA Flush of 2^32 - 1 octets across 4 GiB: the platform gets one range", flags(RDMAFlush, Carry), func(t *T) {
		t.lay(near, memory.Region{Rights: bothReaches, Attributes: memory.Attributes{Type: memory.Flushable}, Address: 0x1_0000_0000, Length: 1 << 33, Base: 0x2_0000_0000})
		k := t.sinkAt(near, 0x8000_0000, 0)
		k.Length = 0xFFFF_FFFF
		t.askFor(0, &aFlush, k, 0)
	}).cite(cited("8-03", "3.1.1.1-07")...)
	for _, o := range commitOps {
		for _, e := range []struct {
			name, what, area string
			offset, octets   int
		}{
			{"last", "the last octets of the TOs", top, 248, 8}, {"first", "the first octets of the TOs", bottom, 0, 8}, {"end", "the last octets of a region", shared, 248, 8},
			{"end_of_nothing", "no octets at the end of a region", bottom, 64, 0}, {"start_of_nothing", "no octets at the start of a region", bottom, 0, 0},
		} {
			if e.octets == 0 && o == &anAtomicWord {
				continue
			}
			l.add("commit/"+o.name+"/edge/"+e.name, o.what+" of "+e.what, flags(o.flag, RegionEdge), func(t *T) {
				t.askFor(0, o, t.sinkAt(e.area, e.offset, e.octets), 0)
			}).cite(cited("7-02")...)
		}
		for _, b := range boundaryPlaces {
			l.add("commit/"+o.name+"/cross/"+b.name[:1]+"_"+b.name[2:], o.what+" of octets around address "+b.name, flags(o.flag, Carry), func(t *T) {
				p := t.place(b.name)
				r := memory.Region{Rights: all | bothReaches | memory.Verifiable, Attributes: memory.Attributes{Type: memory.Flushable, Hash: memory.SHA256},
					Address: p.Address, Length: uint64(p.Size), Base: 0x7_FFFF_FF00}
				t.lay(near, r)
				middle := reach(t.Config)
				switch {
				case o == &anAtomicWord:
					t.askFor(0, o, t.sinkAt(near, middle-8, 8), 0)
					if b.at != 0 {
						t.rest()
						t.askFor(0, o, t.sinkAt(near, middle, 8), 0)
					}
				case b.at == 0:
					t.askFor(0, o, t.sinkAt(near, middle-77, 77), 0)
				default:
					t.askFor(0, o, t.sinkAt(near, middle-77, 150), 0)
				}
			}).in(crossing).cite(cited("2-10")...)
		}
	}
}

// commitWords tests which 8 octets an Atomic Write places, and in which order.
func commitWords(l *list) {
	add := func(key, comment string, write func(t *T), cites ...string) *Case {
		return l.add("commit/atomic_write/"+key, comment, flags(AtomicWrite), write).cite(cited(cites...)...)
	}
	for i := range 16 {
		add(fmt.Sprintf("word_of_a_beat/%d", i), fmt.Sprintf("an Atomic Write of word %d of 16 that share 128 octets: the others do not change", i), func(t *T) {
			t.atomicWrite(0, shared, 8*i, ^uint64(data)-uint64(i))
		}, "3.1.3-05", "3.1.3-03")
	}
	for _, v := range []struct {
		name string
		data uint64
	}{{"zero", 0}, {"ones", allOnes}, {"one", 1}, {"top_bit", 1 << 63}, {"low_half", 0xFFFF_FFFF}, {"high_half", 0xFFFF_FFFF_0000_0000}} {
		add("value/"+v.name, fmt.Sprintf("an Atomic Write of 0x%016X", v.data), func(t *T) { t.atomicWrite(0, words, 8, v.data) }, "3.1.3.1-11")
	}
	returns := "0x0100000000000000: the data are octets"
	if l.config.HostOrder() {
		returns = "1: the data are an integer"
	}
	add("then_fetch_add", "an Atomic Write of 1 and then a FetchAdd, which returns "+returns, func(t *T) {
		t.atomicWrite(0, words, 8, 1)
		t.rest()
		t.atomic(0, t.fetchAdd(words, 8, 0, 0))
	}, "3.1.3.1-11").decides("I-19")
	add("unaligned_base", "a TO that is not a multiple of 8 with an address that is", func(t *T) {
		t.lay(near, memory.Region{Rights: memory.RemoteWrite, Address: t.area(shared).Region.Address, Length: 64, Base: 0x1003})
		t.atomicWrite(0, near, 16, data)
	}, "3.1.3.1-08", "3.1.3.1-09", "2.4-13")
	add("write_only", "a region with no right but Remote Write", func(t *T) {
		t.lay(near, memory.Region{Rights: memory.RemoteWrite, Address: t.area(shared).Region.Address, Length: 64, Base: 0x1000})
		t.atomicWrite(0, near, 8, data)
	}, "2.4-13", "2.4-14")
	add("same_word", "Atomic Writes of one word without a pause: the last one remains", func(t *T) {
		for i := range min(6, t.Config.IRD) {
			t.atomicWrite(0, words, 40, data+uint64(i))
		}
	}, "4-44")
	add("adjacent", "Atomic Writes of adjacent words without a pause", func(t *T) {
		for i := range min(8, t.Config.IRD) {
			t.atomicWrite(0, words, 64+8*i, data>>i)
		}
	}, "3.1.3-05")
	add("streams", "Atomic Writes of two streams on adjacent words without a pause", func(t *T) {
		for i := range 2 * min(4, t.Config.IRD) {
			t.atomicWrite(i%2, shared, 8+8*(i%2), data+uint64(i))
		}
	}, "3.1.3-01").decides("I-58")
	add("between_fetch_adds", "FetchAdds of one word before and after an Atomic Write of it", func(t *T) {
		t.atomic(0, t.fetchAdd(words, 24, 5, 0))
		t.atomicWrite(0, words, 24, 0x0500_0000_0000_0000)
		t.atomic(0, t.fetchAdd(words, 24, 7, 0))
	}, "4-20", "4-35").ird(3)
}
