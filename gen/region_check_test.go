package gen_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/hdltest"
)

// stagRow is a row of the STag table.
type stagRow struct {
	Valid    bool
	Key      uint8
	Rights   uint8 // local read, local write, remote read, remote write, remote atomic, invalidate; from bit 5 down
	ByDomain bool
	Owner    uint16
	Base     uint64
	Length   uint64
	Address  uint64
	Tag      tagBeat // with the extension commit
}

// tagBeat is what the extension adds to a row.
type tagBeat struct {
	Persistent, Visible, Verifiable, NeedsRead bool
	Type, Algorithm                            int
}

// packed returns the entry as packed in a lookup.
func (e stagRow) packed() *big.Int {
	v := new(big.Int)
	add := func(width uint, n uint64) { v.Or(v.Lsh(v, width), new(big.Int).SetUint64(n)) }
	add(1, bitOf(e.Valid))
	add(8, uint64(e.Key))
	add(6, uint64(e.Rights))
	add(1, bitOf(e.ByDomain))
	add(16, uint64(e.Owner))
	add(64, e.Base)
	add(64, e.Length)
	add(64, e.Address)
	return v
}

func bitOf(v bool) uint64 {
	if v {
		return 1
	}
	return 0
}

// regionQuery is an access to a region.
type regionQuery struct {
	Entry  stagRow
	STag   uint32
	TO     uint64
	Length uint32
	Right  bool
	Stream uint16
	Domain uint16
}

// regionVerdict reports which checks fail.
type regionVerdict struct{ STag, Association, Access, Wrap, Bounds, Any bool }

// verdict is the reference: unbounded numbers, one check after another.
func (q regionQuery) verdict() (v regionVerdict) {
	if q.Length == 0 {
		return v
	}
	whole := func(n uint64) *big.Int { return new(big.Int).SetUint64(n) }
	end := new(big.Int).Add(whole(q.TO), whole(uint64(q.Length)))
	v.STag = !q.Entry.Valid || q.Entry.Key != uint8(q.STag)
	owner := q.Stream
	if q.Entry.ByDomain {
		owner = q.Domain
	}
	v.Association = q.Entry.Owner != owner
	v.Access = !q.Right
	v.Wrap = end.Cmp(new(big.Int).Lsh(big.NewInt(1), 64)) > 0
	v.Bounds = q.TO < q.Entry.Base || end.Cmp(new(big.Int).Add(whole(q.Entry.Base), whole(q.Entry.Length))) > 0
	v.Any = v.STag || v.Association || v.Access || v.Wrap || v.Bounds
	return v
}

// regionBench queries a region check.
type regionBench struct{ *clocked }

const regionStreams = 16384

func openRegion(t testing.TB) regionBench {
	return regionBench{openClocked(t, regionBlock(regionStreams))}
}

func (b regionBench) ask(q regionQuery) (fails bool, address uint64) {
	b.setBig("entry", q.Entry.packed())
	for name, n := range map[string]uint64{"named": uint64(q.STag), "to": q.TO, "length": uint64(q.Length), "right": bitOf(q.Right),
		"stream": uint64(q.Stream), "domain": uint64(q.Domain)} {
		b.set(name, n)
	}
	b.sim.Step()
	return b.get("any") == 1, b.get("address")
}

func (b regionBench) check(q regionQuery) {
	b.t.Helper()
	v, address := b.ask(q)
	require.Equal(b.t, q.verdict().Any, v, "%+v", q)
	require.Equal(b.t, q.Entry.Address+(q.TO-q.Entry.Base), address, "%+v", q)
	q.Length = 8
	require.Equal(b.t, q.verdict().Any, b.get("any_of8") == 1, "%+v", q)
}

// Each check separately, at its limits; the verdicts are written by hand.
func TestRegionCheckEdges(t *testing.T) {
	const top = ^uint64(0)
	good := regionQuery{Entry: stagRow{Valid: true, Key: 0xA5, Owner: 7, Base: 0x1000, Length: 0x100, Address: 0x80000003},
		STag: 0x123456A5, TO: 0x1010, Length: 16, Right: true, Stream: 7, Domain: 9}
	for _, row := range []struct {
		says   string
		change func(q *regionQuery)
		want   regionVerdict
	}{
		{"inside", func(q *regionQuery) {}, regionVerdict{}},
		{"the whole region", func(q *regionQuery) { q.TO, q.Length = 0x1000, 0x100 }, regionVerdict{}},
		{"last octet", func(q *regionQuery) { q.TO, q.Length = 0x10FF, 1 }, regionVerdict{}},
		{"one octet too many", func(q *regionQuery) { q.TO, q.Length = 0x1000, 0x101 }, regionVerdict{Bounds: true, Any: true}},
		{"one octet after", func(q *regionQuery) { q.TO, q.Length = 0x1100, 1 }, regionVerdict{Bounds: true, Any: true}},
		{"one octet before", func(q *regionQuery) { q.TO, q.Length = 0x0FFF, 1 }, regionVerdict{Bounds: true, Any: true}},
		{"begins before", func(q *regionQuery) { q.TO, q.Length = 0x0FFF, 2 }, regionVerdict{Bounds: true, Any: true}},
		{"ends at the end of the address space", func(q *regionQuery) { q.Entry.Base, q.TO = top-0xFF, top-15 }, regionVerdict{}},
		{"wraps by one", func(q *regionQuery) { q.Entry.Base, q.TO = top-0xFF, top-14 }, regionVerdict{Wrap: true, Bounds: true, Any: true}},
		{"wraps far", func(q *regionQuery) { q.TO, q.Length = top, 0xFFFFFFFF }, regionVerdict{Wrap: true, Bounds: true, Any: true}},
		{"a region of no octets", func(q *regionQuery) { q.Entry.Length, q.TO, q.Length = 0, 0x1000, 1 }, regionVerdict{Bounds: true, Any: true}},
		{"the longest region", func(q *regionQuery) { q.Entry.Base, q.Entry.Length, q.TO, q.Length = 0, top, top-16, 16 }, regionVerdict{}},
		{"the longest region, one more", func(q *regionQuery) { q.Entry.Base, q.Entry.Length, q.TO, q.Length = 0, top, top-15, 16 }, regionVerdict{Bounds: true, Any: true}},
		{"not valid", func(q *regionQuery) { q.Entry.Valid = false }, regionVerdict{STag: true, Any: true}},
		{"key", func(q *regionQuery) { q.STag ^= 0x80 }, regionVerdict{STag: true, Any: true}},
		{"the index is ignored", func(q *regionQuery) { q.STag ^= 0xFFFFFF00 }, regionVerdict{}},
		{"another stream", func(q *regionQuery) { q.Stream ^= 1 << 13 }, regionVerdict{Association: true, Any: true}},
		{"owner beyond every stream", func(q *regionQuery) { q.Entry.Owner ^= 1 << 15 }, regionVerdict{Association: true, Any: true}},
		{"another domain does not matter", func(q *regionQuery) { q.Domain = 7777 }, regionVerdict{}},
		{"by domain", func(q *regionQuery) { q.Entry.ByDomain, q.Entry.Owner = true, 9 }, regionVerdict{}},
		{"another stream of the domain", func(q *regionQuery) { q.Entry.ByDomain, q.Entry.Owner, q.Stream = true, 9, 1 }, regionVerdict{}},
		{"another domain", func(q *regionQuery) { q.Entry.ByDomain = true }, regionVerdict{Association: true, Any: true}},
		{"no right", func(q *regionQuery) { q.Right = false }, regionVerdict{Access: true, Any: true}},
		{"everything", func(q *regionQuery) { *q = regionQuery{Entry: stagRow{Owner: 1}, TO: top, Length: 2} },
			regionVerdict{true, true, true, true, true, true}},
		{"no octets of an empty region", func(q *regionQuery) { *q = regionQuery{Entry: stagRow{Owner: 1}, TO: top} }, regionVerdict{}},
	} {
		t.Run(row.says, func(t *testing.T) {
			q := good
			row.change(&q)
			got, address := openRegion(t).ask(q)
			assert.Equal(t, row.want.Any, got)
			if !got && q.Length > 0 {
				assert.Equal(t, q.TO-q.Entry.Base+0x80000003, address)
			}
			assert.Equal(t, row.want, q.verdict(), "the reference")
		})
	}
}

// nearTo returns a number close to another.
func nearTo(r *rand.Rand, n uint64) uint64 { return n + uint64(r.IntN(5)) - 2 }

func TestRegionCheckRandom(t *testing.T) {
	b, r := openRegion(t), random(1)
	failed := regionVerdict{}
	for range 100_000 {
		q := regionQuery{Entry: stagRow{Valid: r.IntN(8) > 0, Key: uint8(r.Uint32()), Rights: uint8(r.UintN(64)), ByDomain: r.IntN(2) == 0,
			Owner: uint16(r.UintN(4)), Base: operand(r), Length: operand(r), Address: r.Uint64()},
			STag: r.Uint32(), TO: operand(r), Length: uint32(operand(r)), Right: r.IntN(8) > 0, Stream: uint16(r.UintN(4)), Domain: uint16(r.UintN(4))}
		if r.IntN(8) > 0 {
			q.STag = q.STag&^0xFF | uint32(q.Entry.Key)
		}
		switch r.IntN(4) {
		case 0:
			q.TO = nearTo(r, q.Entry.Base)
		case 1:
			q.TO = nearTo(r, q.Entry.Base+q.Entry.Length-uint64(q.Length))
		case 2:
			q.Length = uint32(nearTo(r, -q.TO))
		}
		b.check(q)
		v := q.verdict()
		failed = regionVerdict{failed.STag || v.STag, failed.Association || v.Association, failed.Access || v.Access,
			failed.Wrap || v.Wrap, failed.Bounds || v.Bounds, failed.Any || !v.Any && q.Length > 0}
	}
	assert.Equal(t, regionVerdict{true, true, true, true, true, true}, failed, "each result occurred")
}

func TestRegionCheckIsClean(t *testing.T) {
	d, err := hdl.Compile(regionBlock(2))
	require.NoError(t, err)
	hdltest.Lint(t, d.Files(), d.Top())
}
