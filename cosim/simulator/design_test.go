package simulator

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func usable() Design {
	return Design{
		Top: "pass", Clock: "clk", Reset: "rst", Statics: []string{"mode"},
		Files: []File{{Name: "pass.v"}},
		Ports: []Port{
			{"clk", In, 1}, {"rst", In, 1}, {"mode", In, 3},
			{"s_data", In, 70}, {"s_last", In, 1}, {"s_valid", In, 1}, {"s_ready", Out, 1},
			{"m_data", Out, 8}, {"m_valid", Out, 1}, {"m_ready", In, 1}, {"level", Out, 5},
		},
		Streams: []Stream{
			{"s", Sink, "s_valid", "s_ready", []string{"s_data", "s_last"}},
			{"m", Source, "m_valid", "m_ready", []string{"m_data"}},
		},
	}
}

func TestCheckAcceptsAUsableDesign(t *testing.T) {
	d := usable()
	require.NoError(t, d.Check())
}

func TestCheckLocatesErrors(t *testing.T) {
	for _, c := range []struct {
		wrong string
		spoil func(*Design)
		says  string
	}{
		{"no clock", func(d *Design) { d.Clock = "clock" }, `clock: there is no port "clock"`},
		{"a wide reset", func(d *Design) { d.Ports[1].Width = 2 }, "reset: port rst is 2 bits wide; it must be 1"},
		{"an undriven input", func(d *Design) { d.Statics = nil }, "input mode: nothing drives it; name it in a stream or in Statics"},
		{"an output as a static", func(d *Design) { d.Statics = []string{"mode", "level"} }, "static: port level has the wrong direction"},
		{"a port with two uses", func(d *Design) { d.Statics = []string{"mode", "s_last"} }, "field of s: port s_last is already the static"},
		{"a reversed sink", func(d *Design) { d.Streams[0].Dir = Source }, "valid of s: port s_valid has the wrong direction"},
		{"a stream without data", func(d *Design) { d.Streams[1].Fields = nil }, "stream m: no fields"},
		{"a stream named twice", func(d *Design) { d.Streams[1].Name = "s" }, "stream s: listed twice"},
		{"a port listed twice", func(d *Design) { d.Ports = append(d.Ports, d.Ports[10]) }, "port level: listed twice"},
		{"a port of no bits", func(d *Design) { d.Ports[10].Width = 0 }, "port level: width 0; it must be at least 1"},
		{"a name that C++ would rewrite", func(d *Design) { d.Ports[10].Name = "fill__level" }, `port "fill__level": not a usable name`},
		{"a top that is not a name", func(d *Design) { d.Top = "--help" }, `top module: "--help" is not a usable name`},
		{"a file somewhere else", func(d *Design) { d.Files[0].Name = "../pass.v" }, `file "../pass.v": not a plain name that ends in .v or .sv`},
	} {
		t.Run(c.wrong, func(t *testing.T) {
			d := usable()
			c.spoil(&d)
			err := d.Check()
			require.ErrorIs(t, err, ErrDesign)
			assert.Contains(t, err.Error(), d.Top+": design cannot be driven: "+c.says)
		})
	}
}

func TestCheckReportsAllAtOnce(t *testing.T) {
	d := usable()
	d.Clock, d.Statics = "clock", nil
	err := d.Check()
	assert.EqualError(t, err, `pass: design cannot be driven: clock: there is no port "clock"
pass: design cannot be driven: input clk: nothing drives it; name it in a stream or in Statics
pass: design cannot be driven: input mode: nothing drives it; name it in a stream or in Statics`)
}

func TestLookups(t *testing.T) {
	d := usable()
	i, err := d.Stream("m")
	require.NoError(t, err)
	assert.Equal(t, 1, i)
	_, err = d.Stream("x")
	assert.EqualError(t, err, `pass has no stream "x"`)
	_, err = d.Port("x")
	assert.EqualError(t, err, `pass has no port "x"`)
}

func TestBufferIsAPowerOfTwo(t *testing.T) {
	for asked, got := range map[int]int{-1: 256, 0: 256, 1: 1, 2: 2, 3: 4, 8: 8, 1000: 1024} {
		assert.Equal(t, got, Options{Buffer: asked}.WithDefaults().Buffer, "requested %d", asked)
	}
}

func TestParseStall(t *testing.T) {
	for text, want := range map[string]Stall{
		"none":       {},
		"random:64":  {Mode: StallRandom, Chance: 64},
		"bursts:255": {Mode: StallBursts, Chance: 255},
		"0.25":       {Mode: StallRandom, Chance: 64},
		"0.999":      {Mode: StallRandom, Chance: 255},
	} {
		got, err := ParseStall(text)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, text := range []string{"", "random", "none:1", "random:256", "random:-1", "bursts:x", "never", "1", "-0.1"} {
		_, err := ParseStall(text)
		assert.ErrorContains(t, err, "allowed: none, a fraction of all cycles such as 0.25, random:N or bursts:N", text)
	}
}
