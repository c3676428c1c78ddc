package hdl_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
)

// parcel is a bundle with a part of a type unknown to the block in the middle.
type parcel struct {
	To      hdl.Value
	Content any
}

type gift struct{ Weight, Size hdl.Value }

func parcelOf() parcel {
	return parcel{To: hdl.Bits(2), Content: gift{Weight: hdl.Bits(3), Size: hdl.Bits(4)}}
}

type parcelPorts struct {
	In  hdl.Sink[parcel]
	Out hdl.Source[parcel]
}

// A field of an interface type is moved, stored and packed under the names of its bundle; two copies of a prototype do not
// share it.
func TestOpaqueField(t *testing.T) {
	proto := parcelOf()
	assert.Equal(t, 9, hdl.PackedWidth(proto))
	d, err := hdl.Compile(hdl.Block[parcelPorts]{Kind: "postman", Doc: "postman carries a parcel, and opens it on the way.",
		Ports: parcelPorts{hdl.NewSink(proto), hdl.NewSource(proto)},
		Build: func(m *hdl.Module, p parcelPorts) {
			first, second := hdl.NewRegOf(m, "first", proto, hdl.NoReset), hdl.NewRegOf(m, "second", proto, hdl.NoReset)
			valid := m.Reg("valid_q", 2, hdl.ResetTo(0))
			m.OnClock(valid.Set(hdl.Cat(valid.Bit(0), p.In.Valid)), first.Set(p.In.Data), second.Set(hdl.Unpack(proto, hdl.Pack(first.Q))))
			p.In.Accept(m, hdl.Ones(1))
			inside := second.Q.Content.(*gift)
			p.Out.Drive(m, valid.Bit(1), parcel{To: second.Q.To, Content: &gift{Weight: inside.Weight.Plus(1), Size: inside.Size}})
			m.Unused("of no use here", p.Out.Ready)
		}})
	require.NoError(t, err)
	text := d.Files()[0].Text
	for _, line := range []string{"in_content_weight", "first_content_weight_q  <= in_content_weight;",
		"assign out_content_weight = second_content_weight_q + 3'd1;", "assign out_content_size   = second_content_size_q;"} {
		assert.Contains(t, text, line)
	}
	assert.Contains(t, text, "second_content_size_q")
	assert.IsType(t, gift{}, proto.Content, "the prototype is unchanged")
}
