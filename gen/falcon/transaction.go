package falcon

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Beat is one AXI4-Stream transfer of a packet that Falcon delivers. The sideband is the same in all beats of a packet.
type Beat struct {
	block.Octets `hdl:"-"`
	Type         hdl.Value `hdl:"tuser" doc:"Falcon packet type: 0 pull request, 3 pull data, 5 push request"`
	RSN          hdl.Value `hdl:"tid" doc:"Request Sequence Number of the transaction on its connection"`
	CID          hdl.Value `hdl:"tdest" doc:"local number of the connection"`
}

// typeBits and rsnBits are the widths of a Falcon packet type and of a Request Sequence Number: FTP 7.2.
var typeBits, rsnBits = bits.Len(uint(spec.PushRequest)), 32

// BeatOf is for a bus of so many octets.
func BeatOf(busBytes, connections int) Beat {
	return Beat{block.OctetsOf(busBytes), hdl.Bits(typeBits), hdl.Bits(rsnBits), hdl.Bits(block.IndexWidth(connections))}
}

// Transaction identifies a packet to Falcon.
type Transaction struct {
	Type hdl.Value `doc:"Falcon packet type"`
	RSN  hdl.Value `hdl:"rsn" doc:"Request Sequence Number"`
	CID  hdl.Value `hdl:"cid" doc:"local number of the connection"`
}
