package vectors

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/replay"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// TestSize: every configuration has enough tests, a third of them errors, and most Terminate codes.
func TestSize(t *testing.T) {
	t.Parallel()
	for _, c := range configs {
		t.Run(c.name, func(t *testing.T) {
			s := newSuite(t, c.config)
			require.NoError(t, s.Check())
			sum := Summarize(s)
			assert.GreaterOrEqual(t, sum.Tests, 1000)
			assert.GreaterOrEqual(t, sum.ErrorShare(), 30)
			assert.Len(t, sum.Flags, len(s.Notes))
			t.Logf("%d tests, %d %% errors, %d groups", sum.Tests, sum.ErrorShare(), sum.Groups)
			codes := map[string]int{}
			for _, code := range sum.Terminates {
				codes[code.Code] = code.Terminates
			}
			for _, code := range []string{
				"0/0/0x00", "0/1/0x00", "0/1/0x01", "0/1/0x02", "0/1/0x03", "0/1/0x04", "0/1/0x09", "0/2/0x05", "0/2/0x06", "0/2/0x07", "1/0/0x00",
				"1/1/0x00", "1/1/0x01", "1/1/0x02", "1/1/0x03", "1/1/0x04", "1/2/0x01", "1/2/0x02", "1/2/0x03", "1/2/0x04", "1/2/0x05", "1/2/0x06",
			} {
				assert.Positive(t, codes[code], code)
			}
		})
	}
}

// TestComplete: ids, comments, described flags, existing requirements; every message is received and sent.
func TestComplete(t *testing.T) {
	s := newSuite(t, gen.Default())
	comments, in, out := map[string]int{}, map[byte]bool{}, map[byte]bool{}
	s.Each(func(_ *suite.Group, one *suite.Test) {
		assert.NotEmpty(t, one.Flags, one.TcID)
		segments := slices.ContainsFunc(one.Input, func(in suite.Input) bool { return in.Port == suite.PortRx }) ||
			slices.ContainsFunc(one.Expect, func(e suite.Expect) bool { return e.Port == suite.PortTx })
		assert.True(t, !segments || len(one.Requirements) > 0, one.TcID) // no specification covers only receive requests and registers
		assert.NotEmpty(t, one.Input, one.TcID)
		assert.Zero(t, comments[one.Comment], "tcId %d: %s", one.TcID, one.Comment)
		comments[one.Comment] = one.TcID
		for i := range one.Input {
			if h := one.Input[i].Hex; len(h) > 1 {
				in[h[1]&15] = true
			}
		}
		for i := range one.Expect {
			if h := one.Expect[i].Hex; len(h) > 1 {
				out[h[1]&15] = true
			}
		}
	})
	assert.Len(t, in, 16, "received opcodes")
	assert.Len(t, out, len(spec.Operations), "sent opcodes")
}

// TestConfigSelects: a configuration has the tests that it supports, each test is in some configuration, and ids denote
// the same test in all.
func TestConfigSelects(t *testing.T) {
	t.Parallel()
	comments, tests := map[int]string{}, map[string]int{}
	for _, c := range configs {
		s := newSuite(t, c.config)
		tests[c.name] = s.NumberOfTests
		s.Each(func(_ *suite.Group, one *suite.Test) {
			if before, known := comments[one.TcID]; known {
				assert.Equal(t, before, one.Comment)
			}
			comments[one.TcID] = one.Comment
		})
	}
	assert.Less(t, tests["minimal"], tests["small"])
	ids, err := readIDs()
	require.NoError(t, err)
	for key, id := range ids {
		assert.True(t, !strings.HasPrefix(key, "rnic/") || comments[id] != "", "%s: a test that no configuration has", key)
	}
}

// TestSameInSameOut: version, configuration and seed determine every octet; another seed changes only the random tests.
func TestSameInSameOut(t *testing.T) {
	t.Parallel()
	files := func(seed uint64) []outdir.File {
		list, _, err := Generate(small, seed)
		require.NoError(t, err)
		return list
	}
	a, b := files(7), files(7)
	require.Equal(t, len(a), len(b))
	var names []string
	for i := range a {
		names = append(names, a[i].Name)
		assert.True(t, bytes.Equal(a[i].Data, b[i].Data), a[i].Name)
	}
	assert.ElementsMatch(t, []string{
		"README.txt", "docs/interpretations.md", "docs/ports.md", "docs/registers.md", "bench/FORMATS.md", "example/foreign_nic.v", "example/foreign_wrapper.v",
		"vectors.json", "rnic_vectors_v3.schema.json", "segments.pcap", "bench/rnic_tb.v", "bench/rnic_wrapper.v", "bench/axi_memory.v", "bench/pace.v",
		"bench/script.hex", "bench/rx_octets.hex", "bench/work.hex", "bench/receives.hex", "bench/regions.hex", "bench/tx_packets.hex", "bench/tx_octets.hex", "bench/tx_masks.hex",
		"bench/completions.hex", "bench/events.hex", "bench/moments.hex", "bench/memory_octets.hex",
	}, names)
	inputs := func(seed uint64) map[int]string {
		s, err := New(small, seed)
		require.NoError(t, err)
		m := map[int]string{}
		s.Each(func(_ *suite.Group, one *suite.Test) {
			text, err := json.Marshal(one)
			require.NoError(t, err)
			if one.Flags[0] != "Random" {
				m[one.TcID] = string(text)
			}
		})
		return m
	}
	assert.Equal(t, inputs(7), inputs(8))
}

// TestByHand compares tests with octets written down from the figures of RFC 5040, RFC 5041 and RFC 7306.
func TestByHand(t *testing.T) {
	s := newSuite(t, gen.Default())
	octets := func(text string) suite.HexOctets {
		b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
		require.NoError(t, err)
		return b
	}
	outcomes := func(key string) (*suite.Group, *suite.Test, []suite.Expect) {
		g, one := find(t, s, key)
		return g, one, one.Expect
	}
	const terminate = "41 47 00000000 00000002 00000001 00000000 "

	// An RDMA Write with another key: DDP's tagged code 1/1/0x00, M and D with the length and the header of the segment.
	_, one, out := outcomes("error/rdma_write/stag/key")
	segment := one.Input[0].Hex
	require.Len(t, segment, 14+8)
	assert.Equal(t, append(octets(terminate+"1100 c000 0016"), segment[:14]...), out[0].Hex)
	assert.Equal(t, &suite.Event{Kind: "terminate_sent", Layer: 1, EType: 1, Code: 0}, out[1].Event)
	assert.Empty(t, one.Memory)
	assert.Equal(t, suite.Error, one.Result)

	// An RDMA Read beyond its region: RDMAP's code 0/1/0x01, M, D and R with the whole request.
	_, one, out = outcomes("error/read_request/bounds/behind")
	assert.Equal(t, append(octets(terminate+"0101 e000 002e"), one.Input[0].Hex...), out[0].Hex)

	// A misaligned FetchAdd: 0/2/0x07, no R.
	_, one, out = outcomes("error/atomic_request/alignment/4")
	assert.Equal(t, append(octets(terminate+"0207 c000 0046"), one.Input[0].Hex[:18]...), out[0].Hex)
	assert.Empty(t, one.Memory)

	// Half a DDP header: no header is returned.
	_, _, out = outcomes("segment/one_octet")
	assert.Equal(t, octets(terminate+"1000 0000"), out[0].Hex)

	// A FetchAdd of 1 to ff 02 03 04 05 06 07 08 in memory, lowest address first: the carry goes to the next higher address.
	g, one, out := outcomes("fetch_add/memory_order")
	require.Len(t, out, 1)
	assert.Equal(t, octets("41 4b 00000000 00000003 00000001 00000000"), out[0].Hex[:18], "QN 3, MSN 1")
	assert.Equal(t, octets("08070605040302ff"), out[0].Hex[22:], "the original, big-endian")
	require.NotEmpty(t, one.Memory)
	word := append([]byte(nil), one.Input[0].Hex[14:]...)
	assert.Equal(t, []byte{0xff, 2, 3, 4, 5, 6, 7, 8}, word, "as it was written")
	after := applied(g, one)
	address := regionOf(t, g, one.Input[0].Hex).Address + 16
	assert.Equal(t, []byte{0, 3, 3, 4, 5, 6, 7, 8}, after(uint64(address), 8))

	// An RDMA Write by this end, of 21 octets: tagged, last, TO and STag of the peer, followed by the octets of memory.
	g, one, out = outcomes("out/rdma_write")
	w := one.Input[0].Work
	local := named(t, g, uint32(w.Local.STag))
	assert.Equal(t, append(octets("c1 40 abcdef01 1122334455667788"), applied(g, one)(uint64(local.Address)+uint64(w.Local.TO-local.Base), 21)...), out[0].Hex)
	assert.Equal(t, &suite.Completion{ID: w.ID, Status: "success", Opcode: 0, Length: ptr(uint32(21)), Data: ptr(suite.Hex64(0)), STag: ptr(suite.Hex32(0))}, out[1].Completion)

	// A CmpSwap by this end: MSN 1 on QN 1, which is also the identifier.
	_, _, out = outcomes("out/cmp_swap")
	assert.Equal(t, octets("41 4a 00000000 00000001 00000001 00000000 00000002 00000001 abcdef01 1122334455667788"+
		"0123456789abcdef ff00ff00ff00ff00 1111222233334444 00ff00ff00ff00ff"), out[0].Hex)
	require.Len(t, out, 1, "no completion before the response")

	// Immediate Data: the 8 octets as a number in the completion, nothing in memory.
	_, one, out = outcomes("in/immediate_se/stream0")
	assert.Equal(t, octets("41 49 00000000 00000000 00000001 00000000 0123456789abcdef"), one.Input[1].Hex)
	assert.Equal(t, &suite.Completion{ID: one.Input[0].Receive.ID, Recv: true, Status: "success", Opcode: 9, Length: ptr(uint32(8)),
		Data: ptr(suite.Hex64(0x0123456789abcdef)), STag: ptr(suite.Hex32(0))}, out[0].Completion)
	assert.Equal(t, "solicited", out[1].Event.Kind)
	assert.Empty(t, one.Memory)

	// An RDMA Write and Immediate Data: all octets of the Write are in memory when the Immediate completes.
	_, _, out = outcomes("order/write/immediate")
	require.NotNil(t, out[0].Completion)
	count := 0
	for _, m := range out[0].Memory {
		count += len(m.Hex)
	}
	assert.GreaterOrEqual(t, count, 190)
}

// TestIntentions: a case ends in an error if and only if it is declared to, in every configuration.
func TestIntentions(t *testing.T) {
	t.Parallel()
	for _, c := range configs {
		all := casesOf(t, c.config)
		newSuite(t, c.config).Each(func(_ *suite.Group, one *suite.Test) {
			assert.Equal(t, all[one.TcID].Ends, one.InError(), "%s: tcId %d, %s", c.name, one.TcID, all[one.TcID].Key)
		})
	}
}

// TestOrderingRowsAreShown: in a test of the rows about the order of two messages, both take effect: each has a
// completion or a response, or changes memory, and no segment is refused.
func TestOrderingRowsAreShown(t *testing.T) {
	t.Parallel()
	for _, c := range configs {
		seen := 0
		newSuite(t, c.config).Each(func(g *suite.Group, one *suite.Test) {
			if !slices.ContainsFunc(one.Requirements, isOrderingRow) {
				return
			}
			seen++
			assert.False(t, one.InError(), "%s: tcId %d, %s", c.name, one.TcID, one.Comment)
			out, err := replay.Model(c.config, g, one, replay.Eager, false)
			require.NoError(t, err)
			messages := 0
			for i, verdict := range out.Verdicts {
				assert.Equal(t, spec.None, verdict, "%s: tcId %d, segment %d", c.name, one.TcID, i)
			}
			for i := range one.Input {
				if one.Input[i].Port == suite.PortRx || one.Input[i].Port == suite.PortWork {
					messages++
				}
			}
			assert.GreaterOrEqual(t, messages, 2, "%s: tcId %d", c.name, one.TcID)
		})
		assert.Greater(t, seen, 20, c.name)
	}
}

// isOrderingRow reports whether a requirement is a row of RFC 7306 section 7, or one of its ordering rules.
func isOrderingRow(id string) bool {
	return strings.HasPrefix(id, "RFC7306-7-") || id == "RFC7306-5.4-06" || id == "RFC7306-5.4-07" || id == "RFC7306-5.4-10"
}
func ptr[T any](v T) *T { return &v }

// applied returns memory after a test.
func applied(g *suite.Group, one *suite.Test) func(address uint64, n int) []byte {
	memory := bytes.Clone(g.Memory[0].Hex)
	for _, m := range one.Memory {
		copy(memory[m.Address-g.Memory[0].Address:], m.Hex)
	}
	return func(address uint64, n int) []byte {
		at := address - uint64(g.Memory[0].Address)
		return memory[at : at+uint64(n)]
	}
}

func named(t *testing.T, g *suite.Group, stag uint32) suite.Region {
	for _, r := range g.Regions {
		if uint32(r.STag) == stag {
			return r
		}
	}
	t.Fatalf("no region %08x", stag)
	return suite.Region{}
}

// regionOf returns the region of a tagged segment.
func regionOf(t *testing.T, g *suite.Group, segment []byte) suite.Region {
	return named(t, g, uint32(segment[2])<<24|uint32(segment[3])<<16|uint32(segment[4])<<8|uint32(segment[5]))
}

// TestEveryAOpCode: 0 and 2 are executed, 1 only with draft00, all others are errors.
func TestEveryAOpCode(t *testing.T) {
	t.Parallel()
	for _, c := range []gen.Config{small, swaps} {
		executed, refused := map[wire.AOpCode]bool{}, map[wire.AOpCode]bool{}
		newSuite(t, c).Each(func(_ *suite.Group, one *suite.Test) {
			if len(one.Input) != 1 || one.Input[0].Port != suite.PortRx {
				return
			}
			s, kind := wire.Classify(one.Input[0].Hex)
			var r wire.AtomicRequest
			if kind == spec.None && s.Header.Opcode == wire.OpAtomicRequest && r.Decode(s.Payload) == nil {
				executed[r.AOpCode] = executed[r.AOpCode] || !one.InError()
				refused[r.AOpCode] = refused[r.AOpCode] || one.InError()
			}
		})
		for a := range wire.AOpCode(16) {
			assert.Equal(t, a.Supported(c.Draft00()), executed[a], "%x", a)
			if !a.Supported(c.Draft00()) {
				assert.True(t, refused[a], "%x", a)
			}
		}
	}
}

// TestEveryHeaderField: in every header of every message each bit of each field is 0 somewhere and 1 somewhere.
func TestEveryHeaderField(t *testing.T) {
	t.Parallel()
	type bits struct{ zeros, ones uint64 }
	seen := map[string]bits{}
	note := func(name string, table *wire.Table, b []byte) {
		for _, f := range table.Fields {
			if v, ok := f.Get(b); ok {
				key := name + "." + f.Name
				seen[key] = bits{seen[key].zeros | ^v, seen[key].ones | v}
			}
		}
	}
	newSuite(t, gen.Default()).Each(func(_ *suite.Group, one *suite.Test) {
		for _, in := range one.Input {
			s, kind := wire.Classify(in.Hex)
			if in.Port != suite.PortRx || kind == spec.ShortHeader {
				continue
			}
			m, known := s.Header.Opcode.Operation()
			if !known || s.Header.Tagged != m.Tagged {
				continue
			}
			ddp := wire.DDPUntaggedTable
			if m.Tagged {
				ddp = wire.DDPTaggedTable
			}
			note(m.Name, ddp, in.Hex)
			if table := wire.HeaderOf(m); table != nil {
				note(m.Name, table, s.Payload)
			}
		}
	})
	for _, m := range spec.Operations {
		ddp := wire.DDPUntaggedTable
		if m.Tagged {
			ddp = wire.DDPTaggedTable
		}
		for _, table := range []*wire.Table{ddp, wire.HeaderOf(&m)} {
			if table == nil {
				continue
			}
			for _, f := range table.Fields {
				if f.Name == "t" || f.Name == "opcode" {
					continue // they define the message
				}
				got := seen[m.Name+"."+f.Name]
				assert.Equal(t, f.Max(), got.ones, "%s.%s: bits that are never 1", m.Name, f.Name)
				assert.Equal(t, f.Max(), got.zeros&f.Max(), "%s.%s: bits that are never 0", m.Name, f.Name)
			}
		}
	}
}
