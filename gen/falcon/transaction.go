package falcon

import (
	"math/bits"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Beat is one AXI4-Stream transfer of a packet that Falcon delivers. Octet 0 is tdata[7:0]. The sideband is the same in all beats of a
// packet.
type Beat struct {
	Data hdl.Value `hdl:"tdata" doc:"octets; octet 0 in [7:0]"`
	Keep hdl.Value `hdl:"tkeep" doc:"valid octets, contiguous from octet 0; all of them except in the last beat"`
	Last hdl.Value `hdl:"tlast" doc:"last beat of the packet"`
	Type hdl.Value `hdl:"tuser" doc:"Falcon packet type: 0 pull request, 3 pull data, 5 push request"`
	RSN  hdl.Value `hdl:"tid" doc:"Request Sequence Number of the transaction on its connection"`
	CID  hdl.Value `hdl:"tdest" doc:"local number of the connection"`
}

// StreamNames are those of AXI4-Stream.
func (Beat) StreamNames() (valid, ready string) { return "tvalid", "tready" }

// typeBits and rsnBits are the widths of a Falcon packet type and of a Request Sequence Number: FTP 7.2.
var typeBits, rsnBits = bits.Len(uint(spec.PushRequest)), 32

// BeatOf is for a bus of so many octets.
func BeatOf(busBytes, connections int) Beat {
	return Beat{Data: hdl.Bits(8 * busBytes), Keep: hdl.Bits(busBytes), Last: hdl.Bits(1),
		Type: hdl.Bits(typeBits), RSN: hdl.Bits(rsnBits), CID: hdl.Bits(block.IndexWidth(connections))}
}

// Octets is one AXI4-Stream transfer of payload. Octet 0 is tdata[7:0].
type Octets struct {
	Data hdl.Value `hdl:"tdata" doc:"octets; octet 0 in [7:0]"`
	Keep hdl.Value `hdl:"tkeep" doc:"valid octets, contiguous from octet 0; all of them except in the last beat"`
	Last hdl.Value `hdl:"tlast" doc:"last beat of the packet"`
}

// StreamNames are those of AXI4-Stream.
func (Octets) StreamNames() (valid, ready string) { return "tvalid", "tready" }

// OctetsOf is for a bus of so many octets.
func OctetsOf(busBytes int) Octets {
	return Octets{Data: hdl.Bits(8 * busBytes), Keep: hdl.Bits(busBytes), Last: hdl.Bits(1)}
}

// Transaction identifies a packet to Falcon.
type Transaction struct {
	Type hdl.Value `doc:"Falcon packet type"`
	RSN  hdl.Value `hdl:"rsn" doc:"Request Sequence Number"`
	CID  hdl.Value `hdl:"cid" doc:"local number of the connection"`
}
