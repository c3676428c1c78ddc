package memory

import (
	"crypto/sha256"
	"fmt"
	"hash"
	"hash/crc32"
	"hash/crc64"
)

// Algorithm is the hash algorithm of a region, local information of its registration: draft-talpey-rdma-commit-01
// section 2.4. No message names it.
type Algorithm uint8

const (
	NoAlgorithm Algorithm = iota
	CRC32C                // Castagnoli, as iSCSI and MPA
	CRC64NVMe             // of the NVM command set specification
	SHA256
	algorithms
)

// MostDigest is the length of the longest digest, in octets.
const MostDigest = sha256.Size

// nvme is the polynomial of CRC-64/NVME, reflected; initial value and final exclusive or are all ones, as in all CRCs of
// hash/crc64.
var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	nvme       = crc64.MakeTable(0x9A6C9329AC4BC9B5)
)

// new returns a hash whose sum is the digest as it is on the wire: a CRC is an integer, most significant octet first
// (I-51).
func (a Algorithm) new() hash.Hash {
	switch a {
	case CRC32C:
		return crc32.New(castagnoli)
	case CRC64NVMe:
		return crc64.New(nvme)
	}
	return sha256.New()
}

// Octets returns the length of the digest; 0 for NoAlgorithm and for one that does not exist.
func (a Algorithm) Octets() int {
	if a == NoAlgorithm || a >= algorithms {
		return 0
	}
	return a.new().Size()
}

// Reversible reports whether a digest of few octets gives them away, so that a Verify amounts to a Read (I-06).
func (a Algorithm) Reversible() bool { return a == CRC32C || a == CRC64NVMe }

// String returns the usual name.
func (a Algorithm) String() string {
	names := [...]string{"none", "CRC32C", "CRC-64/NVME", "SHA-256"}
	if int(a) < len(names) {
		return names[a]
	}
	return fmt.Sprintf("unknown algorithm %d", uint8(a))
}

// Digest appends the digest of octets of memory to dst; a must not be NoAlgorithm. A length of 0 has the digest of the
// empty string.
func (s *Space) Digest(dst []byte, a Algorithm, address, octets uint64) []byte {
	h := a.new()
	var part [pageOctets]byte
	for octets > 0 {
		n := min(octets, pageOctets)
		s.Read(address, part[:n])
		h.Write(part[:n])
		address, octets = address+n, octets-n
	}
	return h.Sum(dst)
}
