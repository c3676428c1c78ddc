package gen_test

import (
	"encoding/binary"
	"math/big"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// words are those of the packed falcon.Expected, whose last field is the lowest.
func (p askedPull) words(c engine.Config, isPull, either bool) []uint64 {
	n := new(big.Int)
	add := func(v uint64, bits int) { n.Or(n.Lsh(n, uint(bits)), new(big.Int).SetUint64(v)) }
	one := func(is bool) uint64 { return map[bool]uint64{true: 1}[is] }
	add(one(isPull || either), 1)
	add(one(isPull || !either), 1)
	add(uint64(p.stream), len(bitsOf(c.Streams-1)))
	add(uint64(p.sn), 32)
	add(one(p.atomic), 1)
	add(p.sink.VA, 64)
	add(uint64(p.sink.Key), 32)
	octets := p.sink.Length
	if p.atomic {
		octets = 0
	}
	add(uint64(octets), 16)
	words := make([]uint64, 4)
	for i := range words {
		words[i] = new(big.Int).Rsh(n, uint(64*i)).Uint64()
	}
	return words
}

func bitsOf(n int) string { return new(big.Int).SetInt64(int64(n)).Text(2) }

// fill gives the fields of headers that the packet type does not have any value.
func (b *checkBench) fill(h *falconHeader, row *spec.Operation, octets []byte) {
	if !row.Has(spec.RETH) {
		h.Length = b.rand.Uint32()
	}
	switch {
	case row.Has(spec.DETH):
		h.VA = binary.BigEndian.Uint64(octets[spec.RBTH.Octets():])
	case !row.Has(spec.RETH) && !row.Has(spec.AtomicETH) && !row.Has(spec.AtomicAckETH):
		h.VA = b.rand.Uint64()
	}
	if !row.Has(spec.RETH) && !row.Has(spec.AtomicETH) {
		h.RKey = checkKey(b.rand.IntN(b.c.STags))
	}
	if !row.Has(spec.SETH) {
		h.RMSN = b.rand.Uint32()
	}
	if !row.Has(spec.OETH) {
		h.Offset = b.rand.Uint32()
	}
	if !row.Has(spec.STETH) {
		h.SinkVA, h.LKey = b.rand.Uint64(), b.rand.Uint32()
	}
	if !row.Has(spec.ImmDt) && !row.Has(spec.IETH) {
		h.Word = checkKey(b.rand.IntN(b.c.STags))
	}
}

// shift puts the numbers of a QP that has been opened ahead of those of the model.
func (b *checkBench) shift(qp int) {
	add := func(name string, address, at, bits int, n uint32) {
		m, err := b.sim.Memory(name)
		require.NoError(b.t, err)
		words := make([]uint64, (m.Width+63)/64)
		m.Get(address, words)
		v, field := new(big.Int), new(big.Int)
		for i := range words {
			v.Or(v, new(big.Int).Lsh(new(big.Int).SetUint64(words[i]), uint(64*i)))
		}
		for i := range bits {
			field.SetBit(field, i, v.Bit(at+i))
		}
		field.Add(field, new(big.Int).SetUint64(uint64(n)))
		for i := range bits {
			v.SetBit(v, at+i, field.Bit(i))
		}
		for i := range words {
			words[i] = new(big.Int).And(new(big.Int).Rsh(v, uint(64*i)), new(big.Int).SetUint64(^uint64(0))).Uint64()
		}
		m.Set(address, words...)
	}
	const flags = 6
	pull := flags + 32 + engine.NumberBits(b.c)
	for i := range 3 { // Pull, RMSN, SN
		add("check.qp_state", qp, pull+32*i, 32, b.ahead)
	}
	add("receives.totals", qp, 0, 32, b.ahead)
	each := func(name string, places, at int) {
		bits := block.IndexWidth(places)
		for i := range 1 << bits {
			add(name, qp<<bits|i, at, 32-bits, b.ahead>>bits)
			if at > 0 {
				add(name, qp<<bits|i, 0, 32, b.ahead) // SN
			}
		}
	}
	each("check.next_sn", b.c.Profile.(falcon.Profile).Window, 0)
	each("check.next_pull", b.c.IRD, 0)
	each("check.message_slot", b.c.ReceiveDepth, 34)
}
