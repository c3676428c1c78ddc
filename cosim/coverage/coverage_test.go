package coverage

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/internal/long"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

var commit = []string{"commit"}

func TestWaiversAreValid(t *testing.T) {
	extended := gen.Default()
	extended.Extensions = commit
	for _, tt := range []struct {
		configs []Config
		needed  string
	}{{Defaults(), waiversFile}, {[]Config{{"extended", extended}}, commitWaiversFile}} {
		assert.Equal(t, tt.needed, mustHaveEffect(tt.configs))
		waivers, err := waiversOf(tt.configs)
		require.NoError(t, err)
		blocks, err := Blocks(ofRDMAP{}, tt.configs)
		require.NoError(t, err)
		count := 0
		for _, w := range waivers {
			if w.file != tt.needed {
				continue
			}
			count++
			for _, name := range strings.Split(w.Block, "|") {
				assert.True(t, slices.ContainsFunc(blocks, Pattern(name).MatchString), "%v: no block %s", w, name)
			}
		}
		assert.NotZero(t, count)
	}
	extended.Streams = 32
	assert.Empty(t, mustHaveEffect([]Config{{"small", extended}}))
}

func TestInvalidWaiversAreRejected(t *testing.T) {
	for _, tt := range []struct{ text, says string }{
		{"block,items\n", "waivers.csv: record on line 1: wrong number of fields"},
		{"a,b,c,d\n", `waivers.csv:1: columns are ["a" "b" "c" "d"]; allowed: kind,block,items,reason`},
		{"kind,block,items,reason\nlien,fifo,x,because it is so\n", `waivers.csv:2: lien fifo x: kind is "lien"; allowed: [line branch toggle bin]`},
		{"kind,block,items,reason\nline,fifo,x,so\n", "waivers.csv:2: line fifo x: block, items or reason is missing"},
		{"kind,block,items,reason\ntoggle,fifo,x[1:2],because it is so\n", `waivers.csv:2: toggle fifo x[1:2]: bits "1:2"; allowed: a list such as 7:4,2`},
		{"kind,block,items,reason\ntoggle,fifo,x turns,because it is so\n", `waivers.csv:2: toggle fifo x turns: edge " turns"; allowed: rises, falls`},
	} {
		_, err := ReadWaivers(waiversFile, tt.text)
		assert.EqualError(t, err, tt.says)
	}
}

func TestWaive(t *testing.T) {
	waivers, err := ReadWaivers(waiversFile, `kind,block,items,reason
toggle,fifo,"data[7:4,1]",the upper bits are never used
toggle,fi*|merge,last rises,it is always zero in this block
line,fifo,default: ;,there is no other state in it
branch,csr,*,a waiver that waives nothing here
`)
	require.NoError(t, err)
	item := func(kind Kind, block, module, name string, covered bool) *Item {
		return &Item{Kind: kind, Block: block, Module: module, Name: name, Covered: covered}
	}
	list := []*Item{
		item(Toggle, "fifo", "a_fifo_4", "data[5] rises", false), item(Toggle, "fifo", "a_fifo_4", "data[3] rises", false),
		item(Toggle, "fifo", "a_fifo_4", "data[1] falls", false), item(Toggle, "fifo", "a_fifo_4", "my_data[1] falls", false),
		item(Toggle, "x", "fitting_2", "last[0] rises", false), item(Toggle, "merge", "m", "last[0] falls", false),
		item(Line, "fifo", "a_fifo_4", "default: ;", false), item(Branch, "csr", "csr", "if (a) : else", true),
	}
	waived, open, idle := waive(list, waivers)
	assert.Len(t, waived, 4)
	for _, i := range []int{0, 2, 4, 6} {
		assert.NotNil(t, waived[list[i]], list[i].Name)
	}
	assert.Equal(t, []*Item{list[1], list[3], list[5]}, open)
	assert.Equal(t, waivers[3:], idle, "covered items need no waiver")

	r := Report{}
	all := items{}
	for _, i := range list {
		all.add(i.Module+i.Name, *i)
	}
	r.judge(all, waivers)
	assert.False(t, r.OK())
	assert.Equal(t, []Row{{Line, "all", 0, 1, 1, 100}, {Branch, "all", 1, 0, 1, 100}, {Toggle, "all", 0, 3, 6, 0}}, r.Totals())
	var text strings.Builder
	require.NoError(t, r.Write(&text))
	assert.Contains(t, text.String(), "open: toggle a_fifo_4 data[3] rises")
	assert.Contains(t, text.String(), "unused waiver: waivers.csv:5: branch csr *")
}

// Each combination is a bin or excluded by a rule, each rule excludes something that no earlier one does, and the bins cover
// every class of every property.
func TestRules(t *testing.T) {
	for _, tt := range []struct {
		bus        int
		extensions []string
		bins       int
	}{{8, nil, 3303}, {64, nil, 3583}, {8, commit, 6900}, {64, commit, 7467}} {
		c := gen.Default()
		c.BusBytes, c.Extensions = tt.bus, tt.extensions
		bus, x := tt.bus, c.Protocol()
		possible, excluded := Bins(c)
		assert.Equal(t, tt.bins, len(possible))
		total := len(possible)
		seen := map[string]bool{}
		for i, n := range excluded {
			total += n
			why := RulesOf(c)[i].Why
			if bus == 64 && strings.HasPrefix(why, "A bus of 8 octets") {
				assert.Zero(t, n)
			} else {
				assert.NotZero(t, n, why)
			}
		}
		assert.Equal(t, len(Opcodes(x))*len(Errors(x))*len(Aligns)*len(Lengths)*len(Rows(x)), total)
		for _, m := range possible {
			for _, class := range []string{"opcode " + m.Opcode, "error " + m.Error.String(), "align " + m.Align, "length " + m.Length, "row " + m.Row} {
				seen[class] = true
			}
		}
		errors := []string{}
		for _, r := range Errors(x) {
			errors = append(errors, r.String())
		}
		for kind, list := range map[string][]string{"opcode ": Opcodes(x), "error ": errors, "align ": Aligns, "length ": Lengths, "row ": Rows(x)} {
			for _, class := range list {
				assert.Equal(t, !(bus == 8 && class == "word"), seen[kind+class], kind+class)
			}
		}
	}
}

// The extension adds bins that concern its messages, errors and rows, and changes no other.
func TestTheExtensionAddsBins(t *testing.T) {
	for _, bus := range []int{8, 64} {
		c := gen.Default()
		c.BusBytes = bus
		without, _ := Bins(c)
		none := c.Protocol()
		c.Extensions = commit
		with, _ := Bins(c)
		assert.Equal(t, without, slices.DeleteFunc(with, func(m Message) bool {
			return !slices.Contains(Opcodes(none), m.Opcode) || !slices.Contains(Errors(none), m.Error) || !slices.Contains(Rows(none), m.Row)
		}))
	}
}

func TestMessagesAreCountedInBins(t *testing.T) {
	c := gen.Default()
	b := NewCounter(c)
	b.Opened(3)
	took := func(kind spec.Rule, address uint64, segment []byte) {
		b.Took(rnic.Taken{Stream: 3, Segment: segment, Error: kind, Placed: address != 0, Address: address})
	}
	took(spec.None, 0x1000, wire.AppendWrite(nil, 1, 2, false, payload(64)))
	took(spec.None, 0x1048, wire.AppendWrite(nil, 1, 66, true, payload(3)))
	took(spec.None, 0x1003, wire.AppendSend(nil, wire.OpSendSE, 0, 1, 0, true, payload(5)))
	took(spec.None, 0, wire.AppendImmediate(nil, false, 2, 9))
	took(spec.Misaligned, 0, wire.AppendAtomicRequest(nil, 1, wire.AtomicRequest{}))
	took(spec.StreamNotOpen, 0, wire.AppendWrite(nil, 1, 2, true, payload(64)))
	took(spec.StreamNotOpen, 0, nil)
	assert.Equal(t, map[Message]int{
		{"rdma_write", spec.None, "word", "segments", "nothing"}:               1,
		{"send_se", spec.None, "octet", "1-7", "RDMA Write"}:                   1,
		{"immediate", spec.None, "none", "fixed", "Send"}:                      1,
		{"atomic_request", spec.Misaligned, "none", "fixed", "Immediate Data"}: 1,
		{"rdma_write", spec.StreamNotOpen, "none", "none", "none"}:             1,
		{"none", spec.StreamNotOpen, "none", "none", "none"}:                   1,
	}, b.count)
}

// Messages of the extension are in bins, and so are those after them. A request that fails when it is executed is counted as accepted and
// as failed.
func TestMessagesOfTheExtensionAreCountedInBins(t *testing.T) {
	c := gen.Default()
	c.Extensions = commit
	b := NewCounter(c)
	b.Opened(3)
	took := func(kind spec.Rule, address uint64, segment []byte) {
		b.Took(rnic.Taken{Stream: 3, Segment: segment, Error: kind, Placed: address != 0, Address: address})
	}
	sink := wire.Sink{Length: 8}
	took(spec.None, 0x1008, wire.AppendFlushRequest(nil, 1, 0, wire.FlushRequest{Sink: sink, Flags: wire.Persistence}))
	took(spec.None, 0x1003, wire.AppendVerifyRequest(nil, 2, 0, wire.VerifyRequest{Sink: wire.Sink{Length: 5000}, Hash: payload(4)}))
	took(spec.None, 0x1000, wire.AppendAtomicWriteRequest(nil, 3, 0, wire.AtomicWriteRequest{Sink: sink}))
	took(spec.None, 0x2001, wire.AppendVerifyResponse(nil, 1, payload(4)))
	took(spec.None, 0x1000, wire.AppendWrite(nil, 1, 2, true, nil))
	for _, rule := range []spec.Rule{spec.HashMismatch, spec.RequestSTag, spec.CannotInvalidate} {
		b.Failed(3, 2, rule)
	}
	b.Failed(3, 4, spec.ExecutionFailed) // none was taken
	took(spec.FlushFlags, 0, wire.AppendFlushRequest(nil, 4, 0, wire.FlushRequest{}))
	assert.Equal(t, map[Message]int{
		{"flush_request", spec.None, "word", "8-bus", "nothing"}:              1,
		{"verify_request", spec.None, "octet", "beats", "RDMA Flush"}:         1,
		{"verify_request", spec.HashMismatch, "octet", "beats", "RDMA Flush"}: 1,
		{"atomic_write_request", spec.None, "bus", "fixed", "RDMA Verify"}:    1,
		{"verify_response", spec.None, "octet", "1-7", "none"}:                1,
		{"rdma_write", spec.None, "bus", "0", "Atomic Write"}:                 1,
		{"flush_request", spec.FlushFlags, "none", "0", "RDMA Write"}:         1,
	}, b.count)
	b.Opened(3)
	b.Failed(3, 1, spec.ExecutionFailed)
	assert.Len(t, b.count, 7, "a stream that is opened again has taken nothing")
}

// A small fixed sample: a small rnic, a few random messages and a message for every bin. Every kind of block has its items, all
// bins are reached, and hardware with a mismatch yields no coverage.
func TestSample(t *testing.T) {
	long.Test(t)
	c := gen.Default()
	c.Extensions = commit
	c.Streams, c.BusBytes, c.IRD, c.ORD, c.ReceiveDepth, c.SendDepth, c.MaxPayload, c.AtomicDepth, c.STags = 32, 16, 2, 2, 4, 4, 256, 16, 512
	design, err := rnic.Design(c)
	require.NoError(t, err)
	k := &collector{config: c, scale: 1, bins: NewCounter(c)}
	require.NoError(t, runs[4].do(k))
	require.NoError(t, k.walkBins())
	all := items{}
	all.addCode(design, &k.code)
	r := &Report{}
	bins, err := k.Bins()
	require.NoError(t, err)
	r.addBins(bins, all)
	r.judge(all, nil)
	blocks, err := Blocks(ofRDMAP{}, []Config{{"sample", c}})
	require.NoError(t, err)
	rows := map[string]Row{}
	for _, row := range r.Rows {
		rows[string(row.Kind)+" "+row.Block] = row
	}
	for _, b := range blocks {
		assert.NotZero(t, rows["toggle "+b].Covered, b)
	}
	for _, row := range r.Totals() {
		t.Logf("%+v", row)
		assert.Greater(t, row.Percent, map[Kind]float64{Line: 90, Branch: 85, Toggle: 70, Bin: 99.999}[row.Kind], row.Kind)
	}
	for _, b := range r.Bins {
		assert.NotZero(t, b.(BinCount).Count, b)
	}
	info := string(lcov("sample", "rtl", design, &k.code))
	for _, f := range design.Files {
		assert.Contains(t, info, "SF:rtl/"+f.Name+"\n")
	}
	assert.Equal(t, len(design.Files), strings.Count(info, "end_of_record"))
	assert.Contains(t, info, "\nDA:")
}

// Every kind of block is covered or reported as uncovered: none is left out.
func TestEveryBlockIsInTheDefaults(t *testing.T) {
	blocks, err := Blocks(ofRDMAP{}, Defaults())
	require.NoError(t, err)
	files, err := filepath.Glob("../../gen/testdata/*/rtl/*.v")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		_, err := os.Stat(f)
		require.NoError(t, err)
		assert.Contains(t, blocks, strings.TrimSuffix(filepath.Base(f), ".v"))
	}
}

func TestOtherDesignsAreNotAdded(t *testing.T) {
	c := simulator.Coverage{}
	p := []simulator.Point{{File: "a.v", Line: 3, Count: 1}}
	require.NoError(t, c.Add(p, nil))
	require.NoError(t, c.Add([]simulator.Point{{File: "a.v", Line: 3, Count: 4}}, nil))
	assert.Equal(t, uint64(5), c.Points[0].Count)
	assert.EqualError(t, c.Add([]simulator.Point{{File: "a.v", Line: 4}}, nil), "coverage of a.v:3: another design has a.v:4")
	assert.Error(t, c.Add(nil, nil))
}
