package simulator

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// withMemory returns a design that consists only of an AXI4 master.
func withMemory() Design {
	d := Design{Top: "master", Clock: "clk", Reset: "rst", Ports: []Port{{"clk", In, 1}, {"rst", In, 1}},
		Memories: []MemoryPort{{Name: "memory", Prefix: "m_axi", Bytes: 16}}}
	add := func(dir StreamDir, channel string, fields ...Port) {
		forward, backward := In, Out
		if dir == Source {
			forward, backward = Out, In
		}
		s := Stream{Name: "m_axi_" + channel, Dir: dir, Valid: "m_axi_" + channel + "valid", Ready: "m_axi_" + channel + "ready"}
		d.Ports = append(d.Ports, Port{s.Valid, forward, 1}, Port{s.Ready, backward, 1})
		for _, f := range fields {
			d.Ports = append(d.Ports, Port{s.Name + f.Name, forward, f.Width})
			s.Fields = append(s.Fields, s.Name+f.Name)
		}
		d.Streams = append(d.Streams, s)
	}
	address := []Port{{Name: "id", Width: 1}, {Name: "addr", Width: 64}, {Name: "len", Width: 8}, {Name: "size", Width: 3}, {Name: "burst", Width: 2}}
	add(Source, "aw", address...)
	add(Source, "w", Port{Name: "data", Width: 128}, Port{Name: "strb", Width: 16}, Port{Name: "last", Width: 1})
	add(Sink, "b", Port{Name: "id", Width: 1}, Port{Name: "resp", Width: 2})
	add(Source, "ar", address...)
	add(Sink, "r", Port{Name: "id", Width: 1}, Port{Name: "data", Width: 128}, Port{Name: "resp", Width: 2}, Port{Name: "last", Width: 1})
	return d
}

func TestMemoryLayout(t *testing.T) {
	d := withMemory()
	require.NoError(t, d.Check())
	l := d.MemoryLayout(0)
	assert.True(t, l.Writes && l.Reads)
	for name, port := range map[string]int{"m_axi_awid": l.AW.ID, "m_axi_awburst": l.AW.Burst, "m_axi_wdata": l.W.Data,
		"m_axi_wstrb": l.W.Strb, "m_axi_wlast": l.W.Last, "m_axi_bid": l.B.ID, "m_axi_bresp": l.B.Resp, "m_axi_araddr": l.AR.Addr,
		"m_axi_arlen": l.AR.Len, "m_axi_rid": l.R.ID, "m_axi_rdata": l.R.Data, "m_axi_rresp": l.R.Resp, "m_axi_rlast": l.R.Last} {
		assert.Equal(t, name, d.Ports[port].Name)
	}
	assert.Equal(t, []int{0, 1, 2, 3, 4}, []int{l.AW.Stream, l.W.Stream, l.B.Stream, l.AR.Stream, l.R.Stream})
	for i := range d.Streams {
		assert.Zero(t, d.MemoryOf(i))
	}
	d.Memories = nil
	assert.Equal(t, -1, d.MemoryOf(0))
}

func TestMemoryOfOneHalf(t *testing.T) {
	d := withMemory()
	d.Streams = d.Streams[3:]
	d.Ports = slices.DeleteFunc(d.Ports, func(p Port) bool {
		return len(p.Name) > 6 && (p.Name[6] == 'w' || p.Name[6] == 'b' || p.Name[6:8] == "aw")
	})
	require.NoError(t, d.Check())
	l := d.MemoryLayout(0)
	assert.True(t, !l.Writes && l.Reads)
	assert.Zero(t, d.MemoryOf(0))
	assert.Zero(t, d.MemoryOf(1))
}

func TestCheckLocatesMemoryErrors(t *testing.T) {
	port := func(d *Design, name string) *Port {
		i, err := d.Port(name)
		if err != nil {
			panic(err)
		}
		return &d.Ports[i]
	}
	for _, c := range []struct {
		wrong string
		spoil func(*Design)
		says  string
	}{
		{"a bus of no width", func(d *Design) { d.Memories[0].Bytes = 24 }, "memory memory: a bus of 24 bytes; it must be a power of two from 8 to 128"},
		{"a narrow bus", func(d *Design) { d.Memories[0].Bytes = 4 }, "memory memory: a bus of 4 bytes"},
		{"a bus of another width", func(d *Design) { d.Memories[0].Bytes = 32 }, "memory memory: port m_axi_wstrb is 16 bits wide; it must be 32"},
		{"no ports", func(d *Design) { d.Memories[0].Prefix = "axi" }, "memory memory: there is neither a port axi_awvalid nor a port axi_arvalid"},
		{"two memories at one port", func(d *Design) {
			d.Memories = append(d.Memories, MemoryPort{"other", "m_axi", 16})
		}, "memory other: its name or its port m_axi is listed twice"},
		{"two memories with one name", func(d *Design) {
			d.Memories = append(d.Memories, MemoryPort{"memory", "n_axi", 16})
		}, "memory memory: its name or its port n_axi is listed twice"},
		{"a missing field", func(d *Design) { port(d, "m_axi_wlast").Name = "m_axi_wend" }, "memory memory: there is no port m_axi_wlast"},
		{"a field of no stream", func(d *Design) { d.Streams[1].Fields = d.Streams[1].Fields[:2] }, "memory memory: stream m_axi_w has no field m_axi_wlast"},
		{"a field too many", func(d *Design) {
			d.Ports = append(d.Ports, Port{"m_axi_buser", In, 1})
			d.Streams[2].Fields = append(d.Streams[2].Fields, "m_axi_buser")
		}, "memory memory: stream m_axi_b has more fields than [id resp]"},
		{"no stream", func(d *Design) { d.Streams = d.Streams[:4] }, "memory memory: no stream has the valid m_axi_rvalid"},
		{"a reversed stream", func(d *Design) { d.Streams[0].Dir = Sink }, "memory memory: stream m_axi_aw must be a source with a ready"},
		{"a stream without ready", func(d *Design) { d.Streams[0].Ready = "" }, "memory memory: stream m_axi_aw must be a source with a ready"},
		{"different IDs", func(d *Design) { port(d, "m_axi_bid").Width = 2 }, "memory memory: port m_axi_bid is 2 bits wide; it must be 1"},
		{"too many IDs", func(d *Design) { port(d, "m_axi_arid").Width = 7 }, "memory memory: port m_axi_arid is 7 bits wide; the maximum is 6"},
		{"a long address", func(d *Design) { port(d, "m_axi_araddr").Width = 65 }, "memory memory: port m_axi_araddr is 65 bits wide; the maximum is 64"},
	} {
		t.Run(c.wrong, func(t *testing.T) {
			d := withMemory()
			c.spoil(&d)
			err := d.Check()
			require.ErrorIs(t, err, ErrDesign)
			assert.Contains(t, err.Error(), "master: design cannot be driven: "+c.says)
		})
	}
}

func TestRuleNames(t *testing.T) {
	assert.Equal(t, "wlast is not on the last beat of the burst", RuleLast.String())
	assert.Equal(t, "unknown", Rule(9).String())
	assert.Equal(t, "unknown", Rule(-1).String())
}
