package vectors

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/outdir"
	"github.com/rnicgen/rnicgen/model/wire"
	rniccases "github.com/rnicgen/rnicgen/vectors/rnic/cases"
	rnicreplay "github.com/rnicgen/rnicgen/vectors/rnic/replay"
	rnicsuite "github.com/rnicgen/rnicgen/vectors/rnic/suite"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// Configurations of rnic that the tests use.
var (
	smallRNIC = gen.Config{Top: gen.TopRNIC, Profile: "rdmap", Extensions: []string{}, BusBytes: 8, Streams: 4, RetirePort: true,
		STags: 32, IRD: 2, ORD: 2, ReceiveDepth: 4, SendDepth: 4, MaxPayload: 256, AtomicDepth: 16}
	leastRNIC = gen.Config{Top: gen.TopRNIC, Profile: "rdmap", Extensions: []string{}, BusBytes: 8, Streams: 2,
		STags: 16, IRD: 1, ORD: 2, ReceiveDepth: 2, SendDepth: 2, MaxPayload: 256, AtomicDepth: 4}
	swapsRNIC = gen.Config{Top: gen.TopRNIC, Profile: "rdmap", Extensions: []string{"draft00"}, BusBytes: 128, Streams: 1024,
		STags: 4096, IRD: 16, ORD: 16, ReceiveDepth: 64, SendDepth: 64, MaxPayload: 4096, AtomicDepth: 64}
	rnicConfigs = []struct {
		name   string
		config gen.Config
	}{{"default", gen.DefaultRNIC()}, {"small", smallRNIC}, {"the least there can be", leastRNIC}, {"with draft00", swapsRNIC}}
)

// rnicSuites are the suites of the configurations that tests use, by configuration; each is made once.
var rnicSuites sync.Map

// newRNICSuite gives a test a suite of its own.
func newRNICSuite(t testing.TB, c gen.Config) *rnicsuite.Suite {
	t.Helper()
	made, _ := rnicSuites.LoadOrStore(fmt.Sprint(c), sync.OnceValues(func() (*rnicsuite.Suite, error) { return NewRNIC(c, DefaultSeed) }))
	s, err := made.(func() (*rnicsuite.Suite, error))()
	require.NoError(t, err)
	return deepCopy(reflect.ValueOf(s)).Interface().(*rnicsuite.Suite)
}

// deepCopy copies a value with all that it points to.
func deepCopy(v reflect.Value) reflect.Value {
	to := reflect.New(v.Type()).Elem()
	to.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			to.Set(reflect.New(v.Type().Elem()))
			to.Elem().Set(deepCopy(v.Elem()))
		}
	case reflect.Slice:
		if v.IsNil() {
			break
		}
		to.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		if v.Type().Elem().Kind() == reflect.Uint8 {
			reflect.Copy(to, v)
			break
		}
		for i := range v.Len() {
			to.Index(i).Set(deepCopy(v.Index(i)))
		}
	case reflect.Map:
		to.Set(reflect.MakeMap(v.Type()))
		for _, k := range v.MapKeys() {
			to.SetMapIndex(k, deepCopy(v.MapIndex(k)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			to.Field(i).Set(deepCopy(v.Field(i)))
		}
	}
	return to
}

// rnicDirectory writes the files of a suite.
func rnicDirectory(t *testing.T, s *rnicsuite.Suite, replace ...outdir.File) string {
	t.Helper()
	list, err := rnicFiles(s)
	require.NoError(t, err)
	for _, r := range replace {
		for i := range list {
			if list[i].Name == r.Name {
				list[i] = r
			}
		}
	}
	dir := filepath.Join(t.TempDir(), "vectors")
	require.NoError(t, outdir.Write(dir, Manifest(s.Config.Config, s.Config.Seed), list))
	return dir
}

// findRNIC finds a test by its key, without "rnic/".
func findRNIC(t *testing.T, s *rnicsuite.Suite, key string) (group *rnicsuite.Group, test *rnicsuite.Test) {
	t.Helper()
	ids, err := readIDs()
	require.NoError(t, err)
	require.Contains(t, ids, "rnic/"+key)
	s.Each(func(g *rnicsuite.Group, one *rnicsuite.Test) {
		if one.TcID == ids["rnic/"+key] {
			group, test = g, one
		}
	})
	require.NotNil(t, test, key)
	return group, test
}

// onlyRNIC leaves the test of a key.
func onlyRNIC(t *testing.T, s *rnicsuite.Suite, key string) (*rnicsuite.Group, *rnicsuite.Test) {
	t.Helper()
	g, one := findRNIC(t, s, key)
	group := *g
	group.Tests = []rnicsuite.Test{*one}
	s.Groups, s.NumberOfTests = []rnicsuite.Group{group}, 1
	return &s.Groups[0], &s.Groups[0].Tests[0]
}

// TestRNICSize: every configuration has tests enough, a third of them errors, and most of the Terminates that there are.
func TestRNICSize(t *testing.T) {
	t.Parallel()
	for _, c := range rnicConfigs {
		t.Run(c.name, func(t *testing.T) {
			s := newRNICSuite(t, c.config)
			require.NoError(t, s.Check())
			sum := SummarizeRNIC(s)
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

// TestRNICComplete: ids, comments, flags that are explained, requirements that exist; every message goes in and comes out.
func TestRNICComplete(t *testing.T) {
	s := newRNICSuite(t, gen.DefaultRNIC())
	comments, in, out := map[string]int{}, map[byte]bool{}, map[byte]bool{}
	s.Each(func(_ *rnicsuite.Group, one *rnicsuite.Test) {
		assert.NotEmpty(t, one.Flags, one.TcID)
		segments := slices.ContainsFunc(one.Input, func(in rnicsuite.Input) bool { return in.Port == rnicsuite.PortRx }) ||
			slices.ContainsFunc(one.Expect, func(e rnicsuite.Expect) bool { return e.Port == rnicsuite.PortTx })
		assert.True(t, !segments || len(one.Requirements) > 0, one.TcID) // those of receive requests and registers alone are no specification's
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
	assert.Len(t, in, 16, "opcodes that go in")
	assert.Len(t, out, 12, "opcodes that come out")
}

// TestRNICConfigSelects: a configuration has the tests that it has room for, and each test is in one; ids mean the same in all.
func TestRNICConfigSelects(t *testing.T) {
	t.Parallel()
	comments, tests := map[int]string{}, map[string]int{}
	for _, c := range rnicConfigs {
		s := newRNICSuite(t, c.config)
		tests[c.name] = s.NumberOfTests
		s.Each(func(_ *rnicsuite.Group, one *rnicsuite.Test) {
			if before, known := comments[one.TcID]; known {
				assert.Equal(t, before, one.Comment)
			}
			comments[one.TcID] = one.Comment
		})
	}
	assert.Less(t, tests["the least there can be"], tests["small"])
	ids, err := readIDs()
	require.NoError(t, err)
	for key, id := range ids {
		assert.True(t, !strings.HasPrefix(key, "rnic/") || comments[id] != "", "%s: a test that no configuration has", key)
	}
}

// TestRNICSameInSameOut: version, configuration and seed decide every octet; another seed changes the random tests alone.
func TestRNICSameInSameOut(t *testing.T) {
	t.Parallel()
	files := func(seed uint64) []outdir.File {
		list, _, err := Generate(smallRNIC, seed)
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
		s, err := NewRNIC(smallRNIC, seed)
		require.NoError(t, err)
		m := map[int]string{}
		s.Each(func(_ *rnicsuite.Group, one *rnicsuite.Test) {
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

// TestRNICByHand compares tests with octets written down from the figures of RFC 5040, RFC 5041 and RFC 7306.
func TestRNICByHand(t *testing.T) {
	s := newRNICSuite(t, gen.DefaultRNIC())
	octets := func(text string) suite.Octets {
		b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
		require.NoError(t, err)
		return b
	}
	outcomes := func(key string) (*rnicsuite.Group, *rnicsuite.Test, []rnicsuite.Expect) {
		g, one := findRNIC(t, s, key)
		return g, one, one.Expect
	}
	const terminate = "41 47 00000000 00000002 00000001 00000000 "

	// An RDMA Write with another key: DDP's tagged code 1/1/0x00, M and D with the length and the header of the segment.
	_, one, out := outcomes("error/rdma_write/stag/key")
	segment := one.Input[0].Hex
	require.Len(t, segment, 14+8)
	assert.Equal(t, append(octets(terminate+"1100 c000 0016"), segment[:14]...), out[0].Hex)
	assert.Equal(t, &rnicsuite.Event{Kind: "terminate_sent", Layer: 1, EType: 1, Code: 0}, out[1].Event)
	assert.Empty(t, one.Memory)
	assert.Equal(t, rnicsuite.Error, one.Result)

	// An RDMA Read beyond its region: RDMAP's code 0/1/0x01, M, D and R with the whole request.
	_, one, out = outcomes("error/read_request/bounds/behind")
	assert.Equal(t, append(octets(terminate+"0101 e000 002e"), one.Input[0].Hex...), out[0].Hex)

	// A misaligned FetchAdd: 0/2/0x07, no R.
	_, one, out = outcomes("error/atomic_request/alignment/4")
	assert.Equal(t, append(octets(terminate+"0207 c000 0046"), one.Input[0].Hex[:18]...), out[0].Hex)
	assert.Empty(t, one.Memory)

	// Half a DDP header: nothing is given back.
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

	// An RDMA Write by this end, of 21 octets: tagged, last, TO and STag of the peer, the octets of memory behind it.
	g, one, out = outcomes("out/rdma_write")
	w := one.Input[0].Work
	local := named(t, g, uint32(w.Local.STag))
	assert.Equal(t, append(octets("c1 40 abcdef01 1122334455667788"), applied(g, one)(uint64(local.Address)+uint64(w.Local.TO-local.Base), 21)...), out[0].Hex)
	assert.Equal(t, &rnicsuite.Completion{ID: w.ID, Status: "success", Opcode: 0, Length: ptr(uint32(21)), Data: ptr(suite.Hex64(0)), STag: ptr(suite.Hex32(0))}, out[1].Completion)

	// A CmpSwap by this end: MSN 1 on QN 1, which is also the identifier.
	_, _, out = outcomes("out/cmp_swap")
	assert.Equal(t, octets("41 4a 00000000 00000001 00000001 00000000 00000002 00000001 abcdef01 1122334455667788"+
		"0123456789abcdef ff00ff00ff00ff00 1111222233334444 00ff00ff00ff00ff"), out[0].Hex)
	require.Len(t, out, 1, "no completion before the answer")

	// Immediate Data: the 8 octets as a number in the completion, nothing in memory.
	_, one, out = outcomes("in/immediate_se/stream0")
	assert.Equal(t, octets("41 49 00000000 00000000 00000001 00000000 0123456789abcdef"), one.Input[1].Hex)
	assert.Equal(t, &rnicsuite.Completion{ID: one.Input[0].Receive.ID, Recv: true, Status: "success", Opcode: 9, Length: ptr(uint32(8)),
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

func ptr[T any](v T) *T { return &v }

// applied reads memory as it is after a test.
func applied(g *rnicsuite.Group, one *rnicsuite.Test) func(address uint64, n int) []byte {
	memory := bytes.Clone(g.Memory[0].Hex)
	for _, m := range one.Memory {
		copy(memory[m.Address-g.Memory[0].Address:], m.Hex)
	}
	return func(address uint64, n int) []byte {
		at := address - uint64(g.Memory[0].Address)
		return memory[at : at+uint64(n)]
	}
}

func named(t *testing.T, g *rnicsuite.Group, stag uint32) rnicsuite.Region {
	for _, r := range g.Regions {
		if uint32(r.STag) == stag {
			return r
		}
	}
	t.Fatalf("no region %08x", stag)
	return rnicsuite.Region{}
}

// regionOf is that of a tagged segment.
func regionOf(t *testing.T, g *rnicsuite.Group, segment []byte) rnicsuite.Region {
	return named(t, g, uint32(segment[2])<<24|uint32(segment[3])<<16|uint32(segment[4])<<8|uint32(segment[5]))
}

// TestRNICCapture: the segments of both directions come back from the capture.
func TestRNICCapture(t *testing.T) {
	s := newRNICSuite(t, smallRNIC)
	pcap, captured, err := rnicCapture(s)
	require.NoError(t, err)
	read, err := capture.Read(rnicCaptureFile, bytes.NewReader(pcap))
	require.NoError(t, err)
	got := map[string][2]int{}
	for _, stream := range read.Streams {
		got[stream.Client.String()] = [2]int{len(stream.ToServer.FPDUs), len(stream.ToClient.FPDUs)}
	}
	want, tests := map[string][2]int{}, 0
	s.Each(func(_ *rnicsuite.Group, one *rnicsuite.Test) {
		if len(rnicConversations(one)) == 0 {
			return
		}
		tests++
		count := func(stream uint32, direction int) {
			client := fmt.Sprintf("10.0.%d.%d:%d", one.TcID>>8, one.TcID&255, 49152+stream)
			n := want[client]
			n[direction]++
			want[client] = n
		}
		for i := range one.Input {
			if one.Input[i].Port == rnicsuite.PortRx {
				count(*one.Input[i].Stream, 0)
			}
		}
		for i := range one.Expect {
			if one.Expect[i].Port == rnicsuite.PortTx {
				count(one.Expect[i].Stream, 1)
			}
		}
	})
	assert.Equal(t, want, got)
	assert.Equal(t, captured, tests)
	assert.Greater(t, tests, s.NumberOfTests*4/5)
}

func TestRNICReadme(t *testing.T) {
	text, err := rnicReadme(newRNICSuite(t, swapsRNIC), 900)
	require.NoError(t, err)
	for _, want := range []string{"extensions [draft00], 128 octets of bus, 1024 streams, 4096 STags, IRD 16, ORD 16", "1/2/0x03", "Invalidation", "The capture has 900 of the tests"} {
		assert.Contains(t, string(text), want)
	}
	assert.NotContains(t, string(text), "<no value>")
}

// TestRNICReadsBack: what is written is read, and is the same when it is written again.
func TestRNICReadsBack(t *testing.T) {
	t.Parallel()
	for _, c := range rnicConfigs[1:3] {
		s := newRNICSuite(t, c.config)
		read, err := ReadRNIC(rnicDirectory(t, s))
		require.NoError(t, err, c.name)
		want, err := encode(s)
		require.NoError(t, err)
		got, err := encode(read)
		require.NoError(t, err)
		assert.True(t, bytes.Equal(want, got), c.name)
	}
}

// TestRNICUnreadable: what is wrong with a file is said with place, value and what is allowed.
func TestRNICUnreadable(t *testing.T) {
	whole := newRNICSuite(t, smallRNIC)
	onlyRNIC(t, whole, "in/read_request/stream0")
	text, err := encode(whole)
	require.NoError(t, err)
	for _, c := range []struct {
		what   string
		change func(d map[string]any, group, test map[string]any)
		want   string
	}{
		{"another schema", func(d, _, _ map[string]any) { d["schema"] = "v3" }, "vectors.json"},
		{"a key too many", func(_, _, one map[string]any) { one["colour"] = "red" }, `additional properties 'colour' not allowed`},
		{"no wait", func(_, _, one map[string]any) { first(one, "input")["wait"] = false }, "input/0/wait is false; allowed: true"},
		{"a stream that does not exist", func(_, _, one map[string]any) { first(one, "input")["stream"] = 4 }, "input/0/stream is 4; allowed: 0 to 3"},
		{"a segment of another port", func(_, _, one map[string]any) { first(one, "input")["port"] = "s_axil" }, "/groups/0/tests/0/input/0"},
		{"another top", func(d, _, _ map[string]any) { d["config"].(map[string]any)["top"] = "rnic_atomics" }, "/config/top: value must be 'rnic'"},
		{"a row beyond the table", func(_, g, _ map[string]any) { first(g, "regions")["stag"] = "00002000" }, "regions/0/stag is 00002000; allowed: an index from 0 to 31"},
		{"a right that is none", func(_, g, _ map[string]any) { first(g, "regions")["rights"] = []any{"all"} }, "/groups/0/regions/0/rights/0: value must be one of"},
		{"a region that wraps", func(_, g, _ map[string]any) { first(g, "regions")["length"] = "ffffffffffffffff" }, "regions/0/length is ffffffffffffffff; allowed: a region that ends at 2^64"},
		{"no owner", func(_, g, _ map[string]any) {
			delete(first(g, "regions"), "stream")
			delete(first(g, "regions"), "domain")
		}, "allowed: one of the two"},
		{"memory that is not there", func(_, _, one map[string]any) {
			one["memory"] = []any{map[string]any{"address": "0000000000000000", "hex": "00"}}
		}, "memory/0 is 1 octets at 0000000000000000; allowed: octets of the group's memory"},
		{"a result that the outcomes deny", func(_, _, one map[string]any) { one["result"] = "error" }, "result is error; allowed: valid, as its outcomes say"},
		{"a requirement that does not exist", func(_, _, one map[string]any) { one["requirements"] = []any{"RFC7306-9.9-99"} }, "is RFC7306-9.9-99; allowed: an id of the requirement catalogues"},
		{"a decision that does not exist", func(_, _, one map[string]any) { one["decisions"] = []any{"I-999"} }, "is I-999; allowed: an id of docs/interpretations.md"},
		{"a mask of another length", func(_, _, one map[string]any) {
			first(one, "expect")["allowed"] = map[string]any{"decisions": []any{"I-81"}, "mask": "00"}
			one["result"] = "acceptable"
		}, "expect/0/allowed/mask is 1 octets; allowed: "},
		{"codes of a Read Response", func(_, _, one map[string]any) {
			first(one, "expect")["allowed"] = map[string]any{"decisions": []any{"I-81"}, "codes": []any{map[string]any{"layer": 0, "etype": 2, "code": 7}}}
			one["result"] = "acceptable"
		}, "expect/0/allowed/codes is of another message; allowed: codes of a Terminate"},
		{"what is open, in a test that is valid", func(_, _, one map[string]any) {
			first(one, "expect")["allowed"] = map[string]any{"decisions": []any{"I-81"}}
		}, "result is valid; allowed: acceptable"},
		{"a copy of octets that are not there", func(_, _, one map[string]any) {
			first(one, "input")["copy"] = map[string]any{"at": 0, "expect": 9, "from": 0, "xor": "00000000"}
		}, "input/0/copy is octets 0 of expect/9 to octet 0"},
		{"a flag without a note", func(_, _, one map[string]any) { one["flags"] = []any{"Magic"} }, "flags/0 is Magic; allowed: a flag that notes explains"},
		{"a count that is wrong", func(d, _, _ map[string]any) { d["numberOfTests"] = 5 }, "numberOfTests is 5; allowed: 1"},
		{"an event without its kind", func(_, _, one map[string]any) {
			one["expect"] = []any{map[string]any{"input": 0, "port": "m_axis_event", "stream": 0}}
		}, "missing property 'event'"},
	} {
		t.Run(c.what, func(t *testing.T) {
			var d map[string]any
			decoder := json.NewDecoder(bytes.NewReader(text))
			decoder.UseNumber()
			require.NoError(t, decoder.Decode(&d))
			group := first(d, "groups")
			c.change(d, group, first(group, "tests"))
			changed, err := json.Marshal(d)
			require.NoError(t, err)
			_, err = Check(rnicDirectory(t, whole, outdir.File{Name: suiteFile, Data: changed}), CheckOptions{})
			require.ErrorIs(t, err, ErrInput)
			assert.Contains(t, err.Error(), c.want)
		})
	}
}

func first(d map[string]any, key string) map[string]any { return d[key].([]any)[0].(map[string]any) }

// TestRNICStale: the other files of a directory have to be those of vectors.json.
func TestRNICStale(t *testing.T) {
	s := newRNICSuite(t, smallRNIC)
	onlyRNIC(t, s, "in/send/stream0")
	r := check(t, rnicDirectory(t, s, outdir.File{Name: readmeFile, Data: []byte("x\n")}), CheckOptions{})
	assert.Equal(t, []string{readmeFile}, r.Stale)
	assert.False(t, r.OK())
	dir := rnicDirectory(t, s)
	require.NoError(t, os.Remove(filepath.Join(dir, rnicCaptureFile)))
	_, err := Check(dir, CheckOptions{})
	assert.ErrorIs(t, err, ErrInput)
}

// casesOf are the cases of a suite, by tcId.
func casesOf(t *testing.T, c gen.Config) map[int]rniccases.Case {
	t.Helper()
	ids, err := readIDs()
	require.NoError(t, err)
	all := map[int]rniccases.Case{}
	for _, one := range rniccases.All(c) {
		all[ids[one.Key]] = one
	}
	return all
}

// TestRNICIntentions: a case ends in an error if and only if it is meant to, in every configuration.
func TestRNICIntentions(t *testing.T) {
	t.Parallel()
	for _, c := range rnicConfigs {
		all := casesOf(t, c.config)
		newRNICSuite(t, c.config).Each(func(_ *rnicsuite.Group, one *rnicsuite.Test) {
			assert.Equal(t, all[one.TcID].Ends, one.InError(), "%s: tcId %d, %s", c.name, one.TcID, all[one.TcID].Key)
		})
	}
}

// TestRNICOrderingRowsAreShown: a test of the rows about the order of two messages has both of them carried out: each has a
// completion or an answer, or has changed memory, and no segment is refused.
func TestRNICOrderingRowsAreShown(t *testing.T) {
	t.Parallel()
	for _, c := range rnicConfigs {
		seen := 0
		newRNICSuite(t, c.config).Each(func(g *rnicsuite.Group, one *rnicsuite.Test) {
			if !slices.ContainsFunc(one.Requirements, isOrderingRow) {
				return
			}
			seen++
			assert.False(t, one.InError(), "%s: tcId %d, %s", c.name, one.TcID, one.Comment)
			out, err := rnicreplay.Model(c.config, g, one, rnicreplay.Eager, false)
			require.NoError(t, err)
			messages := 0
			for i, verdict := range out.Verdicts {
				assert.Equal(t, wire.ErrNone, verdict, "%s: tcId %d, segment %d", c.name, one.TcID, i)
			}
			for i := range one.Input {
				if one.Input[i].Port == rnicsuite.PortRx || one.Input[i].Port == rnicsuite.PortWork {
					messages++
				}
			}
			assert.GreaterOrEqual(t, messages, 2, "%s: tcId %d", c.name, one.TcID)
		})
		assert.Greater(t, seen, 20, c.name)
	}
}

// isOrderingRow tells whether a requirement is one of the rows of RFC 7306 section 7, or of its rules about what comes before what.
func isOrderingRow(id string) bool {
	return strings.HasPrefix(id, "RFC7306-7-") || id == "RFC7306-5.4-06" || id == "RFC7306-5.4-07" || id == "RFC7306-5.4-10"
}
