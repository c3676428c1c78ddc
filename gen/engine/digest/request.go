package digest

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// Algorithms, by the code of a request. 0 is none: it is never asked for.
const (
	AlgorithmCRC32C = 1
	AlgorithmCRC64  = 2 // CRC-64/NVME
	AlgorithmSHA256 = 3

	algorithmBits = 2
)

// MostOctets is the length of the longest digest.
const MostOctets = 32

// DigestRequest asks for the digest of Length octets from Address on. Its digest is compared with the first octets of Expected, as many as it
// has, if Compares is 1.
type DigestRequest struct {
	Stream    hdl.Value `doc:"number of the stream"`
	Number    hdl.Value `doc:"of the request"`
	Tag       any       `hdl:"-"` // what the profile needs for the response
	Address   hdl.Value `doc:"of the first octet in memory"`
	Length    hdl.Value `doc:"octets, may be 0"`
	Algorithm hdl.Value `doc:"1 CRC32C, 2 CRC-64/NVME, 3 SHA-256"`
	Compares  hdl.Value `doc:"1: the digest is compared"`
	Expected  hdl.Value `doc:"octets to compare with, octet i in [8i+7:8i]"`
}

// DigestRequestOf is the prototype; tag may be nil.
func DigestRequestOf(c engine.Config, tag any) DigestRequest {
	return DigestRequest{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Number: hdl.Bits(engine.NumberBits(c)), Tag: tag,
		Address: hdl.Bits(64), Length: hdl.Bits(32), Algorithm: hdl.Bits(algorithmBits), Compares: hdl.Bits(1), Expected: hdl.Bits(8 * MostOctets)}
}

// DigestResponse is the digest of a range. A CRC is an integer, its most significant octet first.
type DigestResponse struct {
	Stream    hdl.Value `doc:"number of the stream"`
	Number    hdl.Value `doc:"number of the request"`
	Tag       any       `hdl:"-"` // of the request
	Algorithm hdl.Value `doc:"1 CRC32C, 2 CRC-64/NVME, 3 SHA-256"`
	Digest    hdl.Value `doc:"octet i in [8i+7:8i], zero after its end; 0 if it failed"`
	Failed    hdl.Value `doc:"1: memory did not deliver the range"`
	Differs   hdl.Value `doc:"1: the digest is not the expected one; 0 if it failed or is not compared"`
}

// DigestResponseOf is the prototype.
func DigestResponseOf(c engine.Config, tag any) DigestResponse {
	return DigestResponse{Stream: hdl.Bits(block.IndexWidth(c.Streams)), Number: hdl.Bits(engine.NumberBits(c)), Tag: tag,
		Algorithm: hdl.Bits(algorithmBits), Digest: hdl.Bits(8 * MostOctets), Failed: hdl.Bits(1), Differs: hdl.Bits(1)}
}
