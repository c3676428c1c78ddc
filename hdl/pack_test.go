package hdl_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
)

type pair struct {
	Small hdl.Value
	Inner struct{ Large hdl.Value }
}

type packPorts struct {
	In  hdl.In
	Out hdl.Out
}

// A bundle's first field is the most significant; unpacked fields have names.
func TestPackPrints(t *testing.T) {
	proto := pair{Small: hdl.Bits(3)}
	proto.Inner.Large = hdl.Bits(5)
	assert.Equal(t, 8, hdl.PackedWidth(proto))
	d, err := hdl.Compile(hdl.Block[packPorts]{Kind: "packing", Doc: "packing turns a pair round.",
		Ports: packPorts{hdl.NewIn(8), hdl.NewOut(8)},
		Build: func(m *hdl.Module, p packPorts) {
			in := hdl.LetOf(m, "in_pair", hdl.Unpack(proto, p.In.Value))
			var out struct{ Large, Small hdl.Value }
			out.Large, out.Small = in.Inner.Large, in.Small
			m.Drive(p.Out, hdl.Pack(out))
		}})
	require.NoError(t, err)
	text := d.Files()[0].Text
	assert.Contains(t, text, "wire [2:0] in_pair_small       = in[7:5];")
	assert.Contains(t, text, "wire [4:0] in_pair_inner_large = in[4:0];")
	assert.Contains(t, text, "assign out = {in_pair_inner_large, in_pair_small};")
}
