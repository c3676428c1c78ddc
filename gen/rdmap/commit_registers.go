package rdmap

import (
	"slices"

	"github.com/rnicgen/rnicgen/gen/engine"
)

// commitRegisters follow stag_owner with the extension commit.
var commitRegisters = []engine.Register{
	{Name: "stag_commit", Offset: 0x04C, Width: 9, Access: engine.ReadWrite, Doc: "what Flush and Verify need of the region (draft-talpey-rdma-commit-01 section 3.2.1)", Fields: []engine.RegisterField{
		{Name: "flush_persistent", Low: 0, Width: 1, Doc: "the peer may flush it to persistence"},
		{Name: "flush_visible", Low: 1, Width: 1, Doc: "the peer may flush it to global visibility"},
		{Name: "verifiable", Low: 2, Width: 1, Doc: "the peer may verify it"},
		{Name: "verify_needs_read", Low: 3, Width: 1, Doc: "1: a Verify also needs Remote Read, as a digest of few octets gives them away"},
		{Name: "type", Low: 4, Width: 2, Doc: "memory: 0 plain, 1 flushable, 2 peer to peer; given to the platform with each flush"},
		{Name: "write_through", Low: 6, Width: 1, Doc: "mode of the memory, for the host's own use: 0 write back, 1 write through"},
		{Name: "algorithm", Low: 7, Width: 2, Doc: "of a Verify: 1 CRC32C, 2 CRC-64/NVME, 3 SHA-256"},
	}},
}

// registers are those of the profile.
func (p Profile) registers() []engine.Register {
	if !p.commits() {
		return Registers
	}
	list := slices.Clone(Registers)
	at := slices.IndexFunc(list, func(r engine.Register) bool { return r.Name == "stag_base_low" })
	list = slices.Insert(list, at, commitRegisters...)
	for i, r := range list {
		if r.Name == "features" {
			r.Width = featureCommit + 1
			r.Fields = append(slices.Clone(r.Fields), engine.RegisterField{Name: "commit", Low: featureCommit, Width: 1, Doc: "1: RDMA Flush, RDMA Verify and Atomic Write"})
			list[i] = r
		}
	}
	return list
}
