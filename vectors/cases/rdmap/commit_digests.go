package rdmap

import (
	"bytes"
	"encoding/hex"
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
)

// verifiable is an area of every stream with an algorithm.
type verifiable struct {
	name, title, area string
	algorithm         memory.Algorithm
}

var verifiables = []verifiable{{"crc32c", "CRC32C", target, memory.CRC32C}, {"crc64", "CRC-64/NVME", bottom, memory.CRC64NVMe}, {"sha256", "SHA-256", shared, memory.SHA256}}

// known lists digests from other sources: RFC 3720 appendix B.4 for CRC32C (as integers), the NVM command set specification
// and the catalogue of CRC algorithms for CRC-64/NVME, FIPS 180-4 and its examples for SHA-256.
var known = []struct {
	algorithm memory.Algorithm
	name      string
	octets    []byte
	digest    string
}{
	{memory.CRC32C, "check", []byte("123456789"), "e3069283"},
	{memory.CRC32C, "zeros", make([]byte, 32), "8a9136aa"},
	{memory.CRC32C, "ones", bytes.Repeat([]byte{0xFF}, 32), "62a8ab43"},
	{memory.CRC32C, "ascending", ascending(32), "46dd794e"},
	{memory.CRC32C, "empty", nil, "00000000"},
	{memory.CRC64NVMe, "check", []byte("123456789"), "ae8b14860a799888"},
	{memory.CRC64NVMe, "zeros_4096", make([]byte, 4096), "6482d367eb22b64e"},
	{memory.CRC64NVMe, "ones_4096", bytes.Repeat([]byte{0xFF}, 4096), "c0ddba7302eca3ac"},
	{memory.CRC64NVMe, "empty", nil, "0000000000000000"},
	{memory.SHA256, "abc", []byte("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
	{memory.SHA256, "two_blocks", []byte("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
	{memory.SHA256, "empty", nil, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
}

func ascending(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i)
	}
	return b
}

func octetsOf(digits string) []byte {
	b, err := hex.DecodeString(digits)
	if err != nil {
		panic(err)
	}
	return b
}

// commitDigests tests digests: of known strings, of all lengths around the blocks of the algorithms, and at all alignments.
func commitDigests(l *list) {
	for _, k := range known {
		l.add(fmt.Sprintf("commit/digest/%s/%s", nameOf(k.algorithm), k.name), fmt.Sprintf("the %v of %d octets, known from another source: %s", k.algorithm, len(k.octets), k.digest),
			flags(RDMAVerify, Digest), func(t *T) {
				p := t.place("one")
				t.lay(near, memory.Region{Rights: memory.RemoteWrite | memory.RemoteRead | memory.Verifiable, Attributes: memory.Attributes{Hash: k.algorithm},
					Address: p.Address + 1, Length: 8192, Base: 0x4000})
				for at := 0; at < len(k.octets); at += 1024 {
					t.write(0, near, at, k.octets[at:min(len(k.octets), at+1024)])
				}
				t.verify(0, near, 0, len(k.octets), octetsOf(k.digest))
			}).in(spacious).cite(cited("3.1.2-01", "3.1.2-05", "2.3-01", "4-07")...).decides("I-51")
	}
	for _, v := range verifiables {
		for _, n := range []int{0, 1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 54, 55, 56, 57, 63, 64, 65, 119, 120, 127, 128, 129, 255, 256} {
			l.add(fmt.Sprintf("commit/verify/%s/length_%d", v.name, n), fmt.Sprintf("the %s of %d octets", v.title, n), flags(RDMAVerify, Digest), func(t *T) {
				t.layVerifiable(v, 512)
				t.verify(0, near, 5, n, nil)
			}).cite(cited("3.1.2.1-05")...)
		}
		for alignment := range 8 {
			l.add(fmt.Sprintf("commit/verify/%s/alignment_%d", v.name, alignment), fmt.Sprintf("the %s of 70 octets at an address that is %d modulo 8", v.title, alignment),
				flags(RDMAVerify, Digest), func(t *T) {
					t.layVerifiable(v, 512)
					t.verify(0, near, 64+alignment, 70, nil)
					t.rest()
					t.verify(0, near, 64+8*alignment, 64, nil)
				}).cite(cited("2-10")...)
		}
		l.add(fmt.Sprintf("commit/verify/%s/long", v.name), fmt.Sprintf("the %s of 9000 octets, and of 4096 aligned ones", v.title), flags(RDMAVerify, Digest, LongMessage), func(t *T) {
			p := t.place("one")
			t.lay(near, memory.Region{Rights: memory.RemoteRead | memory.Verifiable, Attributes: memory.Attributes{Hash: v.algorithm}, Address: p.Address, Length: 16384, Base: 1})
			t.verify(0, near, 77, 9000, nil)
			t.rest()
			t.verify(0, near, 4096, 4096, nil)
		}).in(spacious).cite(cited("2-10")...)
	}
	l.add("commit/verify/aliases", "one range through three STags with different algorithms", flags(RDMAVerify, Digest), func(t *T) {
		for _, v := range verifiables {
			t.layVerifiable(v, 64)
			t.verify(0, near, 0, 33, nil)
		}
	}).cite(cited("2.4-11", "2.1-10", "2.4-10")...)
}

// nameOf is the name of an algorithm in keys.
func nameOf(a memory.Algorithm) string { return verifiables[a-memory.CRC32C].name }

// layVerifiable lays a region over octets of the source with an algorithm.
func (t *T) layVerifiable(v verifiable, octets int) {
	t.lay(near, memory.Region{Rights: memory.RemoteRead | memory.Verifiable, Attributes: memory.Attributes{Hash: v.algorithm},
		Address: t.area(source).Region.Address &^ 7, Length: uint64(octets), Base: 0x1_0000_0000 - 3})
}

// commitHashes tests expected hashes that are not the digest.
func commitHashes(l *list) {
	add := func(v verifiable, key, comment string, write func(t *T, digest []byte), cites ...string) *Case {
		return l.add("commit/mismatch/"+v.name+"/"+key, v.title+": "+comment, flags(RDMAVerify, Digest, WrongHash), func(t *T) {
			write(t, t.digest(v.area, 9, 40))
		}).ends().cite(cited(append(cites, "3.1.2-04", "3.1.2.1-08", "3.1.2.2-04", "2.3-10")...)...)
	}
	for _, v := range verifiables {
		octets := v.algorithm.Octets()
		for word := range octets / 4 {
			add(v, fmt.Sprintf("word_%d", word), fmt.Sprintf("a hash that differs from the digest in one bit, of 32-bit word %d", word), func(t *T, digest []byte) {
				digest[4*word+word%4] ^= 1 << (word * 3 % 8)
				t.verify(0, v.area, 9, 40, digest)
			})
		}
		add(v, "each_bit", fmt.Sprintf("hashes that differ from the digest in each of %d bits", 8*octets), func(t *T, digest []byte) {
			t.each(8*octets, func(int, int) {}, func(stream, bit int) {
				wrong := bytes.Clone(digest)
				wrong[bit/8] ^= 0x80 >> (bit % 8)
				t.verify(stream, v.area, 9, 40, wrong)
			})
		})
		add(v, "zeros", "a hash of zeros", func(t *T, digest []byte) { t.verify(0, v.area, 9, 40, make([]byte, octets)) })
		add(v, "inverted", "the inverted digest", func(t *T, digest []byte) {
			for i := range digest {
				digest[i] ^= 0xFF
			}
			t.verify(0, v.area, 9, 40, digest)
		})
		add(v, "reversed", "the octets of the digest in the other order", func(t *T, digest []byte) {
			for i := range octets / 2 {
				digest[i], digest[octets-1-i] = digest[octets-1-i], digest[i]
			}
			t.verify(0, v.area, 9, 40, digest)
		}).decides("I-51")
		add(v, "next_octet", "the digest of the range that starts one octet later", func(t *T, digest []byte) { t.verify(0, v.area, 8, 40, digest) })
		add(v, "shorter", "the digest of a range that is one octet longer", func(t *T, digest []byte) { t.verify(0, v.area, 9, 39, digest) })
		for _, n := range []int{1, octets / 2, octets - 1, octets + 1, 2 * octets, 60} {
			c := add(v, fmt.Sprintf("octets_%d", n), fmt.Sprintf("a hash of %d octets that begins with the digest, or with which that begins", n), func(t *T, digest []byte) {
				t.verify(0, v.area, 9, 40, append(digest, make([]byte, 60)...)[:n])
			}, "3.1.2.1-07")
			c.Flags = flags(RDMAVerify, Digest, WrongLength)
		}
	}
}
