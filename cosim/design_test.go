package cosim

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/hdl"
)

type addressBeat struct {
	Addr hdl.Value `hdl:"awaddr"`
}

func (addressBeat) StreamNames() (valid, ready string) { return "awvalid", "awready" }

type dataBeat struct {
	Data hdl.Value `hdl:"wdata"`
}

func (dataBeat) StreamNames() (valid, ready string) { return "wvalid", "wready" }

type writeChannels struct {
	Address hdl.Source[addressBeat] `hdl:"-"`
	Data    hdl.Source[dataBeat]    `hdl:"-"`
}

type twoChannels struct {
	Command hdl.Sink[addressBeat] `hdl:"s"`
	Data    hdl.Sink[dataBeat]    `hdl:"s_data"`
	AXI     writeChannels         `hdl:"m_axi"`
}

// Only streams that share the name of their port are renamed.
func TestStreamsOfOnePortHaveTheirOwnNames(t *testing.T) {
	d, err := hdl.Compile(hdl.Block[twoChannels]{
		Kind: "two_channels", Doc: "two_channels forwards two streams.",
		Ports: twoChannels{
			Command: hdl.NewSink(addressBeat{hdl.Bits(64)}), Data: hdl.NewSink(dataBeat{hdl.Bits(32)}),
			AXI: writeChannels{hdl.NewSource(addressBeat{hdl.Bits(64)}), hdl.NewSource(dataBeat{hdl.Bits(32)})}},
		Build: func(m *hdl.Module, p twoChannels) {
			p.AXI.Address.Drive(m, p.Command.Valid, p.Command.Data)
			p.Command.Accept(m, p.AXI.Address.Ready)
			p.AXI.Data.Drive(m, p.Data.Valid, p.Data.Data)
			p.Data.Accept(m, p.AXI.Data.Ready)
		},
	})
	require.NoError(t, err)
	e := Design(d)
	require.NoError(t, e.Check())
	var names []string
	for _, s := range e.Streams {
		names = append(names, s.Name)
	}
	assert.Equal(t, []string{"s", "s_data", "m_axi_aw", "m_axi_w"}, names)
}
