package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// commitAccesses are the uses of 8 octets of a region by the extension, each with the one right that it needs.
func commitAccesses() (list []access) {
	add := func(name, what string, right memory.Rights, message func(t *T, stream int, b rdmap.Buffer)) {
		list = append(list, access{name: name, what: what, right: right, message: message})
	}
	asks := func(o *commitOp, flags wire.Disposition) func(t *T, stream int, b rdmap.Buffer) {
		return func(t *T, stream int, b rdmap.Buffer) {
			k := wire.Sink{STag: b.STag, TO: b.TO, Length: 8}
			if o != &aFlush {
				t.askFor(stream, o, k, 0)
				return
			}
			t.requests(stream, func(msn uint32) []byte {
				return wire.AppendFlushRequest(nil, msn, 0, wire.FlushRequest{Sink: k, Flags: flags})
			})
		}
	}
	add("flush_persistent", "an RDMA Flush to persistence", memory.FlushPersistent, asks(&aFlush, wire.Persistence))
	add("flush_visible", "an RDMA Flush to global visibility", memory.FlushVisible, asks(&aFlush, wire.GlobalVisibility))
	add("verify", "an RDMA Verify", memory.Verifiable, asks(&aVerify, 0))
	add("atomic_write", "an Atomic Write", memory.RemoteWrite, asks(&anAtomicWord, 0))
	list = append(list, access{name: "out/verify", what: "the digest of an RDMA Verify by this end", right: memory.LocalWrite,
		message: func(t *T, stream int, b rdmap.Buffer) {
			w := rdmap.WorkRequest{Stream: uint32(stream), Opcode: wire.OpVerifyRequest, Local: b, Length: 8, Remote: remote}
			w.Commit.Algorithm = memory.CRC64NVMe
			t.post(w)
		}})
	return append(list, access{name: "verify_response", what: "a Verify Response", right: memory.LocalWrite, isResponse: true,
		ready:   func(t *T, stream int, _ rdmap.Buffer) { t.postVerify(stream, near, 0, 8, memory.CRC64NVMe, nil) },
		message: func(t *T, stream int, _ rdmap.Buffer) { t.replyTo(stream, &aVerify) }})
}

// commitRights tests each of them with each single right, and regions of other streams and domains.
func commitRights(l *list) {
	const all = every | bothReaches | memory.Verifiable
	for _, a := range commitAccesses() {
		// as gives the region a right, with attributes that support it and add no need of another.
		as := func(rights memory.Rights) func(r *memory.Region) {
			return func(r *memory.Region) {
				r.Rights, r.Attributes = rights, memory.Attributes{Type: memory.Flushable, Hash: memory.CRC32C, Read: memory.ReadNotNeeded}
			}
		}
		l.add("commit/rights/"+a.name, a.what+" to regions with only the right that it needs, with only each other right, and with all others", flags(Rights, NoRight), func(t *T) {
			t.try(&a, as(a.right))
			t.again(0)
			t.try(&a, as(all&^a.right))
			for bit := range len(suite.Rights) + len(suite.CommitRights) {
				if right := memory.Rights(1) << bit; right != a.right {
					t.again(0)
					t.try(&a, as(right))
				}
			}
		}).ends().cite(cited("2.4-01", "2.4-02", "2.1-11", "2.1-09", "3.2.1-01", "3.2.1-08")...)
		own := func(byDomain bool, owner uint16) func(r *memory.Region) {
			return func(r *memory.Region) {
				as(all)(r)
				r.ByDomain, r.Owner = byDomain, owner
			}
		}
		l.owner("commit/owner/", &a, own).ends().cite(cited("7-02")...)
	}
	for _, need := range []memory.ReadNeed{memory.ReadNeeded, memory.ReadNotNeeded} {
		for _, v := range verifiables {
			c := l.add(fmt.Sprintf("commit/needs_read/%d/%s", need, v.name), fmt.Sprintf("verifiable regions with and without Remote Read, whose digest is %s, need of Remote Read %d", v.title, need), flags(Rights), func(t *T) {
				for _, rights := range []memory.Rights{memory.Verifiable | memory.RemoteRead, memory.Verifiable} {
					r := t.narrow()
					r.Rights, r.Attributes = rights, memory.Attributes{Hash: v.algorithm, Read: need}
					t.again(0)
					t.lay(near, r)
					t.verify(0, near, 0, 8, nil)
				}
			}).cite(cited("2.4-12")...).decides("I-06")
			c.Ends = need == memory.ReadNeeded
		}
	}
	for _, kind := range []memory.Type{memory.Plain, memory.Flushable, memory.PeerToPeer} {
		for _, mode := range []memory.Mode{memory.WriteBack, memory.WriteThrough} {
			l.add(fmt.Sprintf("commit/type/%d/%d", kind, mode), fmt.Sprintf("an RDMA Flush of a region of type %s, mode %d: the platform gets the type", suite.Types[kind], mode), flags(RDMAFlush, Platform), func(t *T) {
				r := t.narrow()
				r.Rights, r.Attributes = memory.FlushVisible|memory.RemoteWrite, memory.Attributes{Type: kind, Mode: mode}
				t.lay(near, r)
				t.write(0, near, 0, pattern(8))
				t.flush(0, near, 0, 8, wire.GlobalVisibility)
			}).cite(cited("2.1-06", "2.1-07", "2.4-05", "3.2.1-02", "3.2.1-05")...).decides("I-94")
		}
	}
	l.add("commit/aliases", "octets written through one STag, and flushed through another", flags(RDMAFlush), func(t *T) {
		t.write(0, words, 8, pattern(32))
		t.flush(0, alias, 8, 32, wire.GlobalVisibility)
		t.rest()
		t.flush(0, words, 8, 32, wire.Persistence)
	}).cite(cited("2.1-10", "2.1-11", "3.1.1-06", "3.1.1-09")...)
	l.add("commit/aliases/streams", "octets written by one stream, and flushed by another", flags(RDMAFlush), func(t *T) {
		t.write(1, shared, 8, pattern(32))
		t.rest()
		t.flush(0, shared, 8, 32, bothFlags)
	}).cite(cited("3.1.1-09")...)
}
