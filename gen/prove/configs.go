package prove

import "github.com/rnicgen/rnicgen/gen"

// Configs are the configurations whose blocks are proven: small, plain, with draft00, with commit and with far memory, and RDMA over Falcon in both bit orders.
func Configs() []gen.Config {
	c := gen.Config{Top: gen.Top, Profile: "rdmap", Extensions: []string{}, BusBytes: 8, Streams: 4, RetirePort: true,
		STags: 16, IRD: 2, ORD: 2, ReceiveDepth: 2, SendDepth: 2, MaxPayload: 256, AtomicDepth: 4}
	draft := c
	draft.Extensions = []string{"draft00"}
	commit := c
	commit.Extensions = []string{"commit"}
	falcon := c
	falcon.Profile, falcon.RetirePort, falcon.BitOrder, falcon.Window, falcon.BufferOctets = gen.ProfileFalcon, false, "drawn", 16, 64
	mirrored := falcon
	mirrored.BitOrder = "mirrored"
	far := c
	far.FarMemoryBit = 32
	return []gen.Config{c, draft, commit, falcon, mirrored, far}
}
