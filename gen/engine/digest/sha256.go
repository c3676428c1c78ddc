package digest

import "github.com/rnicgen/rnicgen/hdl"

// sha256Initial is the initial hash value (FIPS 180-4 section 5.3.3).
var sha256Initial = [8]uint64{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}

// sha256Constants are one word per round (section 4.2.2).
var sha256Constants = []uint64{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}

// rotated is a word rotated right.
func rotated(w hdl.Value, by int) hdl.Value { return hdl.Cat(w.Truncate(by), w.Slice(31, by)) }

// The functions of section 4.1.2.
func choose(x, y, z hdl.Value) hdl.Value   { return x.And(y).Xor(x.Not().And(z)) }
func majority(x, y, z hdl.Value) hdl.Value { return x.And(y).Or(x.Or(y).And(z)) }
func upper0(w hdl.Value) hdl.Value         { return rotated(w, 2).Xor(rotated(w, 13)).Xor(rotated(w, 22)) }
func upper1(w hdl.Value) hdl.Value         { return rotated(w, 6).Xor(rotated(w, 11)).Xor(rotated(w, 25)) }
func lower0(w hdl.Value) hdl.Value {
	return rotated(w, 7).Xor(rotated(w, 18)).Xor(w.Slice(31, 3).ZeroExtend(32))
}
func lower1(w hdl.Value) hdl.Value {
	return rotated(w, 17).Xor(rotated(w, 19)).Xor(w.Slice(31, 10).ZeroExtend(32))
}
