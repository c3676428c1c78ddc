package vectors

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/requirements"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// TestSize: every configuration has at least 400 tests, 30 % of them errors, and records of every kind.
func TestSize(t *testing.T) {
	for _, c := range configs {
		t.Run(c.name, func(t *testing.T) {
			sum := Summarize(newSuite(t, c.config))
			assert.GreaterOrEqual(t, sum.Tests, 400)
			assert.GreaterOrEqual(t, sum.ErrorShare(), 30)
			for _, k := range sum.Records {
				assert.Positive(t, k.Records, k.Error)
			}
			t.Logf("%d tests, %d %% errors, %d groups", sum.Tests, sum.ErrorShare(), sum.Groups)
		})
	}
}

// TestEveryTestIsComplete: id, comment, flags that are explained, requirements that exist.
func TestEveryTestIsComplete(t *testing.T) {
	for _, c := range configs {
		s := newSuite(t, c.config)
		require.NoError(t, s.Check(), c.name)
		require.NoError(t, checkCited(s), c.name)
		comments := map[string]int{}
		s.Each(func(_ *suite.Group, one *suite.Test) {
			assert.Positive(t, one.TcID)
			assert.NotEmpty(t, one.Flags, one.TcID)
			assert.NotEmpty(t, one.Requirements, one.TcID)
			assert.NotEmpty(t, one.Input, one.TcID)
			assert.NotEmpty(t, one.Expect, one.TcID)
			assert.Zero(t, comments[one.Comment], "tcId %d: %s", one.TcID, one.Comment)
			comments[one.Comment] = one.TcID
		})
		rows, err := requirements.Of(c.config)
		require.NoError(t, err)
		known := orderOf(rows)
		for flag, n := range s.Notes {
			assert.NotEmpty(t, n.Requirements, flag)
			for _, id := range n.Requirements {
				if !strings.HasPrefix(id, "DRAFT00") {
					assert.Contains(t, known, id, flag)
				}
			}
		}
	}
}

// TestWhatBreaksOthers: the topics that known implementations get wrong are all there, with tests enough.
func TestWhatBreaksOthers(t *testing.T) {
	s := newSuite(t, swaps)
	flags := map[string]int{}
	for _, f := range Summarize(s).Flags {
		flags[f.Flag] = f.Tests
	}
	for flag, least := range map[string]int{
		"OpcodeConfusion": 3, "ReservedBits": 20, "Mask": 12, "MaskBoundary": 50, "HighHalf": 20, "WindowBase": 20,
		"UnalignedBase": 15, "Misaligned": 40, "AfterError": 40, "StreamIsolation": 15, "STagZero": 5, "ZeroLength": 6,
		"ShortPayload": 10, "BusBoundary": 40, "MSNWrap": 8, "TOWrap": 8, "OutOfBounds": 20, "WindowEdge": 40, "SameWord": 15,
		"WrongLength": 30, "WrongQueue": 60, "WrongTagged": 12, "WrongOffset": 10, "NotLast": 12, "ShortHeader": 31,
		"WrongVersion": 72, "UnknownOpcode": 12, "CheckOrder": 10, "MaxLength": 2, "Swap": 10, "Reset": 3, "Random": 50,
	} {
		assert.GreaterOrEqual(t, flags[flag], least, flag)
	}
}

// TestEveryAOpCode: 0 and 2 are executed, 1 with draft00 only, all others are errors.
func TestEveryAOpCode(t *testing.T) {
	for _, c := range []gen.Config{small, swaps} {
		s := newSuite(t, c)
		for a := range 16 {
			executed := a == 0 || a == 2 || a == 1 && c.Draft00()
			key := map[bool]string{true: "executed", false: "refused"}[executed]
			_, one := find(t, s, fmt.Sprintf("aopcode/%x/%s", a, key))
			assert.Equal(t, map[bool]string{true: suite.Valid, false: suite.Error}[executed], one.Result, one.Comment)
		}
	}
}

// TestEveryHeaderField: in every header of every message each field has two values at least, and each bit of it is
// 0 somewhere and 1 somewhere.
func TestEveryHeaderField(t *testing.T) {
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
	newSuite(t, gen.DefaultAtomics()).Each(func(_ *suite.Group, one *suite.Test) {
		for _, in := range one.Input {
			s, kind := wire.Classify(in.Hex)
			if in.Port != suite.PortRx || kind == wire.ErrShortHeader {
				continue
			}
			m, known := s.Header.Opcode.Message()
			if !known || s.Header.Tagged != m.Tagged {
				continue
			}
			if m.Tagged {
				note(m.Name, wire.DDPTaggedTable, in.Hex)
			} else {
				note(m.Name, wire.DDPUntaggedTable, in.Hex)
			}
			if m.Header != nil {
				note(m.Name, m.Header, s.Payload)
			}
		}
	})
	for _, m := range wire.Messages {
		ddp := wire.DDPUntaggedTable
		if m.Tagged {
			ddp = wire.DDPTaggedTable
		}
		for _, table := range []*wire.Table{ddp, m.Header} {
			if table == nil {
				continue
			}
			for _, f := range table.Fields {
				if f.Name == "t" || f.Name == "opcode" {
					continue // they make the message what it is
				}
				got := seen[m.Name+"."+f.Name]
				assert.Equal(t, f.Max(), got.ones, "%s.%s: bits that are never 1", m.Name, f.Name)
				assert.Equal(t, f.Max(), got.zeros&f.Max(), "%s.%s: bits that are never 0", m.Name, f.Name)
			}
		}
	}
}

// TestEveryErrorInEveryMessage: each kind of message is refused for everything that it can be refused for.
func TestEveryErrorInEveryMessage(t *testing.T) {
	refused := map[string]bool{}
	newSuite(t, gen.DefaultAtomics()).Each(func(_ *suite.Group, one *suite.Test) {
		for _, e := range one.Expect {
			if e.Record != nil {
				s, _ := wire.Classify(one.Input[e.Input].Hex)
				refused[fmt.Sprintf("%s %s", s.Header.Opcode.Name(), e.Record.Error)] = true
			}
		}
	})
	for _, m := range wire.Messages {
		kinds := []wire.ErrorKind{wire.ErrNone, wire.ErrDDPVersion, wire.ErrRDMAPVersion, wire.ErrTaggedFlag, wire.ErrStreamTerminated}
		if !m.Tagged {
			kinds = append(kinds, wire.ErrQueueNumber, wire.ErrQueueMismatch)
		}
		if m.ZeroMO {
			kinds = append(kinds, wire.ErrMessageOffset)
		}
		if m.SingleSegment {
			kinds = append(kinds, wire.ErrLength)
		}
		if m.Opcode == wire.OpAtomicRequest {
			kinds = append(kinds[1:], wire.ErrAtomicOpcode, wire.ErrSTag, wire.ErrTOWrap, wire.ErrBounds, wire.ErrAlignment)
		}
		for _, k := range kinds {
			assert.True(t, refused[m.Name+" "+k.String()], "%s with error %v", m.Title, k)
		}
	}
}

// TestSameInSameOut: version, configuration and seed decide every octet; another seed changes the random tests
// and nothing else.
func TestSameInSameOut(t *testing.T) {
	a, _, err := Generate(small, 7)
	require.NoError(t, err)
	b, _, err := Generate(small, 7)
	require.NoError(t, err)
	require.Len(t, b, len(a))
	for i := range a {
		assert.Equal(t, a[i].Name, b[i].Name)
		assert.True(t, bytes.Equal(a[i].Data, b[i].Data), a[i].Name)
	}

	one, err := New(small, 7)
	require.NoError(t, err)
	other, err := New(small, 8)
	require.NoError(t, err)
	inputs := func(s *suite.Suite) map[int]string {
		m := map[int]string{}
		s.Each(func(_ *suite.Group, t *suite.Test) {
			if !slices.Contains(t.Flags, "Random") && !slices.Contains(t.Flags, "RandomMalformed") {
				m[t.TcID] = fmt.Sprint(t.Input, t.Memory)
			}
		})
		return m
	}
	assert.Equal(t, inputs(one), inputs(other))
	x, err := encode(one)
	require.NoError(t, err)
	y, err := encode(other)
	require.NoError(t, err)
	assert.False(t, bytes.Equal(x, y))
}

// TestConfigSelects: a configuration has the tests that it has room for; ids mean the same in all of them.
func TestConfigSelects(t *testing.T) {
	comments := map[int]string{}
	for _, c := range configs {
		newSuite(t, c.config).Each(func(_ *suite.Group, one *suite.Test) {
			if before, known := comments[one.TcID]; known {
				assert.Equal(t, before, one.Comment)
			}
			comments[one.TcID] = one.Comment
		})
	}
	ids, err := readIDs()
	require.NoError(t, err)
	var keys []string
	in := map[int]bool{}
	newSuite(t, least).Each(func(_ *suite.Group, one *suite.Test) { in[one.TcID] = true })
	for key, id := range ids {
		if !in[id] && !strings.HasPrefix(key, "rnic/") && !strings.HasPrefix(key, "swap/") && key != "aopcode/1/executed" {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	assert.Contains(t, keys, "same_word/8_streams")
	assert.Contains(t, keys, "address/neighbours")
	assert.Less(t, len(keys), 20, "the least configuration leaves out %v", keys)
	for key, id := range ids {
		assert.True(t, strings.HasPrefix(key, "rnic/") || comments[id] != "", "%s: a test that no configuration has", key)
	}
}

// TestByHand compares tests with octets written down from the figures of RFC 7306 and RFC 5041.
func TestByHand(t *testing.T) {
	s := newSuite(t, gen.DefaultAtomics())
	octets := func(text string) suite.Octets {
		b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
		require.NoError(t, err)
		return b
	}

	// The response's MSN wraps. Window STag 1234abcd; the identifiers count from 1d2e3f01.
	g, one := find(t, s, "msn/from_ffffffff")
	index := one.Memory[0].Index
	to := fmt.Sprintf("%016x", 0x7fffff000+8*index)
	assert.Equal(t, octets("41 4a 00000000 00000001 00000001 00000000"+ // T=0 L=1 DV=1, RV=1 opcode 10, ULP word, QN 1, MSN 1, MO 0
		"00000000 1d2e3f01 1234abcd"+to+ // AOpCode 0 FetchAdd, identifier, Remote STag, Remote TO
		"0000000000000001 0000000000000000 0000000000000000 ffffffffffffffff"), one.Input[0].Hex) // add 1, no mask, compare fields
	var responses []suite.Octets
	for _, e := range one.Expect {
		if e.Port == suite.PortTx {
			responses = append(responses, e.Hex)
		}
	}
	assert.Equal(t, []suite.Octets{
		octets("41 4b 00000000 00000003 ffffffff 00000000 1d2e3f01 0123456789abcdef"), // QN 3, MSN 2^32-1
		octets("41 4b 00000000 00000003 00000000 00000000 1d2e3f02 0123456789abcdf0"), // MSN 0
		octets("41 4b 00000000 00000003 00000001 00000000 1d2e3f03 0123456789abcdf1"), // MSN 1
	}, responses)
	assert.Equal(t, suite.Hex64(0x0123456789abcdf2), one.Memory[0].Data)
	assert.Equal(t, suite.Hex64(0x0123456789abcdef), wordOf(g, index))

	// A carry that stops at bit 31: ffffffff_ffffffff + 1 with Add Mask 80000000.
	_, one = find(t, s, "fetch_add/bit31/carry")
	assert.Equal(t, suite.Hex64(0xffffffff_00000000), one.Memory[0].Data)

	// CmpSwap of bit 63 alone: the word keeps all other bits.
	_, one = find(t, s, "cmp_swap/swap_bit63")
	assert.Equal(t, suite.Hex64(0x25a50f0f_3c3c00ff), one.Memory[0].Data) // a5.. with bit 63 of 1234567890.., which is 0

	// A misaligned FetchAdd: Terminate 0/2/0x07, no response, the word as it was.
	_, one = find(t, s, "address/usual/misaligned/2")
	require.Len(t, one.Expect, 1)
	assert.Equal(t, suite.Record{Error: "alignment", Code: 14, TermLayer: 0, TermEtype: 2, TermCode: 7, SegmentLength: 70, PayloadLength: 0,
		Header: one.Input[0].Hex}, *one.Expect[0].Record)
	assert.Equal(t, suite.Hex64(0x0706050403020100), one.Memory[0].Data)

	// A Send of 1 octet: the record, then the octet.
	_, one = find(t, s, "payload/send/1")
	assert.Equal(t, octets("41 43 00000000 00000000 00000007 00000000 01"), one.Input[0].Hex)
	assert.Equal(t, suite.Record{Error: "none", SegmentLength: 19, PayloadLength: 1, Header: one.Input[0].Hex}, *one.Expect[0].Record)
	assert.Equal(t, octets("01"), one.Expect[1].Hex)
}

func wordOf(g *suite.Group, index int) suite.Hex64 {
	for _, w := range g.Regions[0].Memory {
		if w.Index == index {
			return w.Data
		}
	}
	return 0
}
