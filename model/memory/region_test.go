package memory

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func table(t require.TestingT, rows int, regions map[int]Region) *Table {
	table, err := NewTable(rows)
	require.NoError(t, err)
	for index, r := range regions {
		require.NoError(t, table.Set(index, r))
	}
	return table
}

func TestCheck(t *testing.T) {
	r := Region{Valid: true, Key: 0x11, Rights: RemoteRead | LocalWrite, Owner: 5, Base: 0x1003, Length: 32, Address: 0x8000}
	domain := r
	domain.ByDomain = true
	gone := r
	gone.Valid = false
	top := r
	top.Base, top.Address = 1<<64-32, 1<<64-32
	all := Region{Valid: true, Owner: 5, Rights: RemoteRead, Length: 1<<64 - 1}
	tb := table(t, 16, map[int]Region{1: r, 2: domain, 3: gone, 4: top, 5: all})
	own, other := Peer{Stream: 5, Domain: 7}, Peer{Stream: 7, Domain: 5}

	for _, tt := range []struct {
		name       string
		peer       Peer
		stag       uint32
		to, length uint64
		right      Rights
		address    uint64
		kind       Fault
	}{
		{"first octet", own, 0x111, 0x1003, 1, RemoteRead, 0x8000, Granted},
		{"all octets", own, 0x111, 0x1003, 32, RemoteRead, 0x8000, Granted},
		{"last octet", own, 0x111, 0x1022, 1, LocalWrite, 0x801F, Granted},
		{"in the domain", other, 0x211, 0x1004, 1, RemoteRead, 0x8001, Granted},
		{"up to 2^64", own, 0x411, 1<<64 - 32, 32, RemoteRead, 1<<64 - 32, Granted},
		{"the whole memory but its last octet", own, 0x500, 0, 1<<64 - 1, RemoteRead, 0, Granted},

		{"no octets are not checked", other, 0xFFFFFFFF, 1<<64 - 1, 0, RemoteAtomic, 0, Granted},

		{"index outside the table before all others", other, 0x1000, 1<<64 - 1, 2, RemoteWrite, 0, BadSTag},
		{"the largest STag", own, 0xFFFFFFFF, 0, 1, RemoteRead, 0, BadSTag},
		{"row never set", own, 0x000, 0, 1, RemoteRead, 0, BadSTag},
		{"invalid row", own, 0x311, 0x1003, 1, RemoteRead, 0, BadSTag},
		{"another key", own, 0x112, 0x1003, 1, RemoteRead, 0, BadSTag},
		{"another stream, before the right", other, 0x111, 0, 1, RemoteWrite, 0, NotAssociated},
		{"the stream is not the domain", own, 0x211, 0x1003, 1, RemoteRead, 0, NotAssociated},
		{"another right, before the wrap", own, 0x111, 1<<64 - 1, 2, RemoteWrite, 0, NoRight},
		{"local is not remote", own, 0x111, 0x1003, 1, LocalRead, 0, NoRight},
		{"wrap, before the bounds", own, 0x111, 1<<64 - 1, 2, RemoteRead, 0, TOWraps},
		{"TO + length is 2^64: no wrap", own, 0x111, 1<<64 - 1, 1, RemoteRead, 0, OutOfBounds},
		{"before the base", own, 0x111, 0x1002, 1, RemoteRead, 0, OutOfBounds},
		{"one octet too many", own, 0x111, 0x1003, 33, RemoteRead, 0, OutOfBounds},
		{"starts after the end", own, 0x111, 0x1023, 1, RemoteRead, 0, OutOfBounds},
		{"ends after the end", own, 0x111, 0x1022, 2, RemoteRead, 0, OutOfBounds},
		{"longer than the address space permits", own, 0x111, 0x1003, 1<<64 - 0x1003, RemoteRead, 0, OutOfBounds},
	} {
		address, kind := tb.Check(tt.peer, tt.stag, tt.to, tt.length, tt.right)
		assert.Equal(t, tt.kind, kind, tt.name)
		assert.Equal(t, tt.address, address, tt.name)
	}
}

// The order of the checks: an access with every fault shows them one after the other as each is corrected.
func TestOrderOfTheChecks(t *testing.T) {
	tb := table(t, 2, map[int]Region{1: {Valid: true, Key: 1, Rights: RemoteWrite, Owner: 3, Base: 0x100, Length: 8}})
	peer, stag, to, length, right := Peer{Stream: 4}, uint32(0x100), ^uint64(0), uint64(9), RemoteRead
	for _, step := range []struct {
		want Fault
		mend func()
	}{
		{BadSTag, func() { stag = 0x101 }},
		{NotAssociated, func() { peer.Stream = 3 }},
		{NoRight, func() { right = RemoteWrite }},
		{TOWraps, func() { to = 0x100 }},
		{OutOfBounds, func() { length = 8 }},
		{Granted, func() {}},
	} {
		_, kind := tb.Check(peer, stag, to, length, right)
		assert.Equal(t, step.want, kind)
		step.mend()
	}
}

// The same rules, computed without overflow.
func TestCheckProperties(t *testing.T) {
	number := func(v uint64) *big.Int { return new(big.Int).SetUint64(v) }
	sum := func(a, b uint64) *big.Int { return new(big.Int).Add(number(a), number(b)) }
	end := new(big.Int).Lsh(big.NewInt(1), 64)
	near := func(t *rapid.T, name string) uint64 {
		return rapid.SampledFrom([]uint64{0, 1 << 40, 1 << 63}).Draw(t, name) + uint64(rapid.Int64Range(-20, 20).Draw(t, name+" off by"))
	}
	rapid.Check(t, func(t *rapid.T) {
		r := Region{Valid: true, Rights: LocalRead, Base: near(t, "base"), Length: near(t, "length"), Address: near(t, "address")}
		tb := table(t, 1, nil)
		wraps := sum(r.Base, r.Length).Cmp(end) > 0 || sum(r.Address, r.Length).Cmp(end) > 0
		if err := tb.Set(0, r); wraps {
			require.Error(t, err)
			return
		} else {
			require.NoError(t, err)
		}
		to := r.Base + uint64(rapid.Int64Range(-3, 3).Draw(t, "distance"))
		if rapid.Bool().Draw(t, "at the end") {
			to += r.Length
		}
		length := rapid.SampledFrom([]uint64{1, 2, r.Length, r.Length - 1, r.Length + 1}).Draw(t, "access")
		address, kind := tb.Check(Peer{}, 0, to, length, LocalRead)
		switch {
		case length == 0:
			require.Equal(t, Granted, kind)
		case sum(to, length).Cmp(end) > 0:
			require.Equal(t, TOWraps, kind)
		case number(to).Cmp(number(r.Base)) < 0 || sum(to, length).Cmp(sum(r.Base, r.Length)) > 0:
			require.Equal(t, OutOfBounds, kind)
		default:
			require.Equal(t, Granted, kind)
			require.Equal(t, to-r.Base, address-r.Address)
		}
	})
}

func TestInvalidate(t *testing.T) {
	r := Region{Valid: true, Key: 1, Rights: Invalidate | RemoteRead, Owner: 3, Length: 8}
	kept := r
	kept.Rights = RemoteRead
	tb := table(t, 4, map[int]Region{1: r, 2: kept})
	own := Peer{Stream: 3}
	assert.False(t, tb.MayInvalidate(own, 0x102), "key")
	assert.False(t, tb.MayInvalidate(own, 0x401), "index")
	assert.False(t, tb.MayInvalidate(own, 0x201), "right")
	assert.False(t, tb.MayInvalidate(Peer{Stream: 2}, 0x101), "association")
	tb.Invalidate(0x102)
	assert.True(t, tb.Known(0x101), "another key is another STag")
	assert.True(t, tb.MayInvalidate(own, 0x101))
	tb.Invalidate(0x101)
	assert.False(t, tb.Known(0x101))
	assert.False(t, tb.MayInvalidate(own, 0x101), "no longer valid")
	tb.Invalidate(0xFFFFFFFF)
	assert.True(t, tb.Known(0x201), "the neighbour is untouched")

	got, ok := tb.Get(1)
	assert.True(t, ok)
	r.Valid = false
	assert.Equal(t, r, got)
}

func TestTableRefuses(t *testing.T) {
	for _, rows := range []int{0, -1, MaxSTags + 1} {
		_, err := NewTable(rows)
		assert.ErrorContains(t, err, "allowed: 1..16777216")
	}
	tb := table(t, 2, nil)
	assert.Equal(t, 2, tb.Rows())
	assert.EqualError(t, tb.Set(2, Region{}), "memory: STag index is 2; allowed: 0..1")
	assert.EqualError(t, tb.Set(-1, Region{}), "memory: STag index is -1; allowed: 0..1")
	assert.EqualError(t, tb.Set(0, Region{Valid: true, Base: 1<<64 - 1, Length: 2}),
		"memory: STag index 0: TO is 0xFFFFFFFFFFFFFFFF, address 0x0, length 2 octets; allowed: TO and address + length at most 2^64")
	assert.Error(t, tb.Set(0, Region{Valid: true, Address: 1<<64 - 1, Length: 2}))
	assert.NoError(t, tb.Set(0, Region{Base: 1<<64 - 1, Length: 2}), "an invalid region is not checked")
	assert.NoError(t, tb.Set(0, Region{Valid: true, Base: 1<<64 - 2, Length: 2, Address: 1<<64 - 2}))
	_, ok := tb.Get(2)
	assert.False(t, ok)
	_, ok = tb.Get(-1)
	assert.False(t, ok)
	assert.Equal(t, uint32(0x01020304), STag(0x010203, 0x04))
}

// An address is known for any access to an existing row, and only then.
func TestAddress(t *testing.T) {
	tb := table(t, 16, map[int]Region{1: {Valid: true, Key: 0x11, Base: 0x1003, Length: 32, Address: 0x8000}, 3: {Key: 0x11, Address: 8}})
	for _, row := range []struct {
		stag    uint32
		to      uint64
		address uint64
		known   bool
	}{
		{0x111, 0x1003, 0x8000, true},
		{0x111, 0x1000, 0x7FFD, true},
		{0x112, 0x1003, 0, false},
		{0x311, 0, 0, false},
		{0xFFFF11, 0, 0, false},
	} {
		address, known := tb.Address(row.stag, row.to)
		assert.Equal(t, row.known, known, "%X", row.stag)
		assert.Equal(t, row.address, address, "%X", row.stag)
	}
}
