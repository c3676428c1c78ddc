package gen_test

import (
	"crypto/sha256"
	"hash/crc32"
	"hash/crc64"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/digest"
	"github.com/rnicgen/rnicgen/hdl"
)

type digestRequestBeat struct {
	Stream    int
	Number    uint32
	Mark      uint32
	Address   uint64
	Length    uint32
	Algorithm int
	Compares  bool
	Expected  [32]byte
}

type digestResponseBeat struct {
	Stream    int
	Number    uint32
	Mark      uint32
	Algorithm int
	Digest    [32]byte
	Failed    bool
	Differs   bool
}

// digestTag is handed from a request to its response.
type digestTag struct{ Mark hdl.Value }

var digestAlgorithms = []int{digest.AlgorithmCRC32C, digest.AlgorithmCRC64, digest.AlgorithmSHA256}

// digestOf computes a digest with Go's library.
func digestOf(algorithm int, octets []byte) []byte {
	sum := sha256.Sum256(octets)
	h := sum[:]
	switch algorithm {
	case digest.AlgorithmCRC32C:
		c := crc32.New(crc32.MakeTable(crc32.Castagnoli))
		_, _ = c.Write(octets)
		h = c.Sum(nil)
	case digest.AlgorithmCRC64:
		c := crc64.New(crc64.MakeTable(0x9A6C9329AC4BC9B5))
		_, _ = c.Write(octets)
		h = c.Sum(nil)
	}
	return h
}

// digestRig is digest_unit with its memory, which has the octets of readMemory besides those that are set. A stream asks for its next
// digest when it has the response to the one before.
type digestRig struct {
	*rig
	memory  readMemory
	octets  map[uint64]byte
	want    []digestResponseBeat
	got     []digestResponseBeat
	waiting map[int][]digestRequestBeat // by stream; the first one is in the unit
	streams int                         // that ask
	beats   int                         // that memory delivers
	due     int                         // cycle for the next of them
}

func digestConfig(busBytes int) engine.Config {
	c := gen.Default().Engine()
	c.BusBytes = busBytes
	return c
}

func openDigest(t testing.TB, busBytes int, seed uint64) *digestRig {
	return openDigestOf(t, digestConfig(busBytes), seed)
}

func openDigestOf(t testing.TB, c engine.Config, seed uint64) *digestRig {
	r, busBytes := openRig(t, digest.DigestUnit(c, digestTag{hdl.Bits(20)}), seed), c.BusBytes
	d := &digestRig{rig: r, memory: readMemory{busBytes: busBytes, bad: map[uint64]int{}}, octets: map[uint64]byte{}, waiting: map[int][]digestRequestBeat{}, streams: c.Streams}
	size := 0
	for 1<<size < busBytes {
		size++
	}
	onBeat(r, "m_axi_ar", func(b readBurst) {
		d.memory.bursts = append(d.memory.bursts, b)
		require.Equal(t, readBurst{ArID: b.ArID, ArAddr: b.ArAddr, ArLen: b.ArLen, ArSize: size, ArBurst: 1}, b)
		require.Zero(t, b.ArAddr%uint64(busBytes))
		require.Equal(t, b.ArAddr/4096, (b.ArAddr+uint64((b.ArLen+1)*busBytes)-1)/4096, "a burst crosses a boundary of 4 KiB: %+v", b)
		d.due = max(d.due, r.cycle+1+d.memory.latency[0]+r.rand.IntN(d.memory.latency[1]-d.memory.latency[0]+1))
		for i := range b.ArLen + 1 {
			a := b.ArAddr + uint64(i*busBytes)
			sendAt(r, "m_axi_r", d.due, readBeat{RID: b.ArID, RData: d.read(a, busBytes), RResp: d.memory.bad[a/uint64(busBytes)], RLast: i == b.ArLen})
			d.due++
			d.beats++
		}
	})
	onBeat(r, "response", func(b digestResponseBeat) {
		require.NotEmpty(t, d.waiting[b.Stream], "a response without a request")
		d.got, d.waiting[b.Stream] = append(d.got, b), d.waiting[b.Stream][1:]
		if len(d.waiting[b.Stream]) > 0 {
			send(r, "req", d.waiting[b.Stream][0])
		}
	})
	ready := r.signal("m_axi_rready")
	r.look = func() { require.EqualValues(t, 1, ready.Get(), "data from memory are not accepted at once") }
	return d
}

// read returns octets of memory.
func (d *digestRig) read(address uint64, n int) []byte {
	out := d.memory.octets(address, n)
	for i := range out {
		if o, is := d.octets[address+uint64(i)]; is {
			out[i] = o
		}
	}
	return out
}

// reset forgets all requests, and what memory is about to deliver.
func (d *digestRig) reset() {
	d.rig.reset()
	d.want, d.got, d.beats, d.due = nil, nil, 0, 0
	clear(d.waiting)
}

// ask sends a request of any stream.
func (d *digestRig) ask(q digestRequestBeat) { d.askAs(d.rand.IntN(d.streams), q) }

// askAs sends a request and notes the expected response. The tag and the number are random.
func (d *digestRig) askAs(stream int, q digestRequestBeat) {
	q.Stream, q.Number, q.Mark = stream, d.rand.Uint32N(requestNumbers), d.rand.Uint32N(1<<20)
	w := digestResponseBeat{Stream: q.Stream, Number: q.Number, Mark: q.Mark, Algorithm: q.Algorithm}
	sum := digestOf(q.Algorithm, d.read(q.Address, int(q.Length)))
	copy(w.Digest[:], sum)
	w.Differs = q.Compares && string(q.Expected[:len(sum)]) != string(sum)
	bus := uint64(d.memory.busBytes)
	for i := uint64(0); i < uint64(q.Length); i += bus - (q.Address+i)%bus {
		if d.memory.bad[(q.Address+i)/bus] != 0 {
			w = digestResponseBeat{Stream: q.Stream, Number: q.Number, Mark: q.Mark, Algorithm: q.Algorithm, Failed: true}
		}
	}
	d.waiting[q.Stream] = append(d.waiting[q.Stream], q)
	if len(d.waiting[q.Stream]) == 1 {
		send(d.rig, "req", q)
	}
	d.want = append(d.want, w)
}

// of asks for the digest of a range.
func (d *digestRig) of(algorithm int, address uint64, length int) {
	d.ask(digestRequestBeat{Algorithm: algorithm, Address: address, Length: uint32(length)})
}

// check runs until all requests are answered, and compares the responses, in the order of each stream.
func (d *digestRig) check() {
	d.t.Helper()
	for start := d.cycle; len(d.got) < len(d.want) && !d.t.Failed(); d.step() {
		require.Less(d.t, d.cycle, start+1<<18, "%d of %d responses", len(d.got), len(d.want))
	}
	d.rest(100)
	byStream := func(a, b digestResponseBeat) int { return a.Stream - b.Stream }
	slices.SortStableFunc(d.want, byStream)
	slices.SortStableFunc(d.got, byStream)
	same(d.t, d.want, d.got)
	d.want, d.got = nil, nil
	require.Equal(d.t, d.beats, len(d.stream("m_axi_r").at), "beats are left")
}

// randomDigest is a request for a range near a boundary of 4 KiB, or anywhere.
func (d *digestRig) randomDigest(r *rand.Rand, most int) digestRequestBeat {
	q := digestRequestBeat{Algorithm: digestAlgorithms[r.IntN(3)], Address: operand(r) + uint64(r.IntN(300)), Length: uint32(r.IntN(most + 1))}
	if r.IntN(3) == 0 {
		q.Length = uint32(r.IntN(3 * d.memory.busBytes))
	}
	if r.IntN(2) == 0 {
		q.Address = q.Address&^4095 - uint64(r.IntN(200))
	}
	if r.IntN(2) == 0 {
		q.Compares = true
		copy(q.Expected[:], digestOf(q.Algorithm, d.read(q.Address, int(q.Length))))
		if r.IntN(2) == 0 {
			q.Expected[r.IntN(32)] ^= 1 << r.IntN(8)
		}
	}
	return q
}
