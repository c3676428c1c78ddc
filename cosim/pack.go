package cosim

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// beats packs segments into the beats of an AXI4-Stream and back. Octet 0 is in tdata[7:0], which starts at bit 0 of
// a packed beat.
type beats struct {
	busBytes, words  int
	keep, last, user int // bit offsets
	userWidth        int
	maskWords        int
}

// fieldAt finds where a field stands in the packed beat.
func fieldAt(d *engine.Design, stream int, name string) (engine.Field, error) {
	layout, err := d.Layout(stream)
	if err != nil {
		return engine.Field{}, err
	}
	for i, f := range d.Streams[stream].Fields {
		if f == name {
			return layout.Fields[i], nil
		}
	}
	return engine.Field{}, fmt.Errorf("%s: stream %s has no field %s", d.Top, d.Streams[stream].Name, name)
}

// offsets finds several fields of a stream, named after the stream.
func offsets(d *engine.Design, stream int, suffixes ...string) (words int, fields []engine.Field, err error) {
	layout, err := d.Layout(stream)
	if err != nil {
		return 0, nil, err
	}
	for _, s := range suffixes {
		f, err := fieldAt(d, stream, d.Streams[stream].Name+"_"+s)
		if err != nil {
			return 0, nil, err
		}
		fields = append(fields, f)
	}
	return layout.Words, fields, nil
}

func newBeats(d *engine.Design, stream int) (beats, error) {
	words, f, err := offsets(d, stream, "tdata", "tkeep", "tlast", "tuser")
	if err != nil {
		return beats{}, err
	}
	if f[0].Offset != 0 {
		return beats{}, fmt.Errorf("%s: stream %s: tdata does not start the packed beat", d.Top, d.Streams[stream].Name)
	}
	return beats{busBytes: f[1].Width, words: words, keep: f[1].Offset, last: f[2].Offset, user: f[3].Offset, userWidth: f[3].Width,
		maskWords: f[0].Width / 64}, nil
}

// append packs one segment; an empty one is a last beat without octets.
func (b *beats) append(dst []uint64, stream uint32, segment []byte) []uint64 {
	for ; len(segment) > b.busBytes; segment = segment[b.busBytes:] {
		dst = b.beat(dst, stream, segment[:b.busBytes])
	}
	dst = b.beat(dst, stream, segment)
	dst[len(dst)-b.words+b.last/64] |= 1 << (b.last % 64)
	return dst
}

// beat packs the octets of one beat that is not the last.
func (b *beats) beat(dst []uint64, stream uint32, octets []byte) []uint64 {
	at := len(dst)
	if at+b.words > cap(dst) {
		dst = slices.Grow(dst, 64*b.words)
	}
	dst = dst[:at+b.words]
	w := dst[at:]
	copyOctets(w, octets)
	setOnes(w, b.keep, len(octets))
	w[b.user/64] |= uint64(stream) << (b.user % 64)
	if over := b.user%64 + b.userWidth - 64; over > 0 {
		w[b.user/64+1] |= uint64(stream) >> (b.userWidth - over)
	}
	return dst
}

// copyOctets packs octets into words, octet 0 lowest, and clears the words behind them.
func copyOctets(words []uint64, octets []byte) {
	for ; len(octets) >= 64; octets, words = octets[64:], words[8:] {
		w, o := words[:8:8], octets[:64:64]
		w[0], w[1] = binary.LittleEndian.Uint64(o), binary.LittleEndian.Uint64(o[8:])
		w[2], w[3] = binary.LittleEndian.Uint64(o[16:]), binary.LittleEndian.Uint64(o[24:])
		w[4], w[5] = binary.LittleEndian.Uint64(o[32:]), binary.LittleEndian.Uint64(o[40:])
		w[6], w[7] = binary.LittleEndian.Uint64(o[48:]), binary.LittleEndian.Uint64(o[56:])
	}
	for ; len(octets) >= 8; octets, words = octets[8:], words[1:] {
		words[0] = binary.LittleEndian.Uint64(octets)
	}
	clear(words)
	if len(octets) > 0 {
		var last [8]byte
		copy(last[:], octets)
		words[0] = binary.LittleEndian.Uint64(last[:])
	}
}

// setOnes sets n bits of words that are zero.
func setOnes(words []uint64, offset, n int) {
	for n > 0 {
		k := min(n, 64-offset%64)
		words[offset/64] |= ^uint64(0) >> (64 - k) << (offset % 64)
		offset, n = offset+k, n-k
	}
}

// octets counts the octets of a beat; ok is false when tkeep has a gap or is not full in a beat that is not the last.
func (b *beats) octets(w []uint64) (n int, ok bool) {
	full := true
	for done := 0; done < b.busBytes; done += 64 {
		k := min(64, b.busBytes-done)
		v := engine.Bits(w, b.keep+done, k)
		ones := bits.OnesCount64(v)
		if v != 0 && (!full || ones != 64 && v != 1<<ones-1) {
			return n, false
		}
		full = full && ones == k
		n += ones
	}
	return n, full || b.isLast(w)
}

func (b *beats) isLast(w []uint64) bool { return w[b.last/64]>>(b.last%64)&1 == 1 }

func (b *beats) streamOf(w []uint64) uint32 { return uint32(engine.Bits(w, b.user, b.userWidth)) }

// data appends the octets of a beat.
func (b *beats) data(dst []byte, w []uint64, n int) []byte {
	for i := 0; n > 0; i++ {
		if n >= 8 {
			dst = binary.LittleEndian.AppendUint64(dst, w[i])
			n -= 8
			continue
		}
		for j := range n {
			dst = append(dst, byte(w[i]>>(8*j)))
		}
		n = 0
	}
	return dst
}

// clean is false when an octet that is not there is not zero.
func (b *beats) clean(w []uint64, n int) bool {
	for i := range b.maskWords {
		rest := n - 8*i
		if rest >= 8 {
			continue
		}
		if w[i]>>(8*max(rest, 0)) != 0 {
			return false
		}
	}
	return true
}

// recordPack finds the fields of a record in a packed beat.
type recordPack struct {
	words                                               int
	header, stream, kind, layer, etype, code, seg, load engine.Field
}

func newRecordPack(d *engine.Design, stream int) (recordPack, error) {
	words, f, err := offsets(d, stream, "header", "stream", "error", "term_layer", "term_etype", "term_code", "segment_length", "payload_length")
	if err != nil {
		return recordPack{}, err
	}
	if f[0].Offset != 0 {
		return recordPack{}, fmt.Errorf("%s: stream %s: the header does not start the packed record", d.Top, d.Streams[stream].Name)
	}
	return recordPack{words, f[0], f[1], f[2], f[3], f[4], f[5], f[6], f[7]}, nil
}

func (p *recordPack) record(w []uint64) (r rdmap.Record) {
	get := func(f engine.Field) uint64 { return engine.Bits(w, f.Offset, f.Width) }
	r.Stream = uint32(get(p.stream))
	r.Error = wire.ErrorKind(get(p.kind))
	r.Term = wire.TerminateCode{Layer: wire.Layer(get(p.layer)), EType: uint8(get(p.etype)), Code: uint8(get(p.code))}
	r.SegmentLength, r.PayloadLength = int(get(p.seg)), int(get(p.load))
	for i := 0; i < rdmap.HeaderOctets; i += 8 {
		n := min(8, rdmap.HeaderOctets-i)
		v := engine.Bits(w, p.header.Offset+8*i, 8*n)
		for j := range n {
			r.Header[i+j] = byte(v >> (8 * j))
		}
	}
	return r
}

// append packs a record as the hardware gives it. The fields behind the header have 66 bits at most and start in one word.
func (p *recordPack) append(dst []uint64, r *rdmap.Record) []uint64 {
	dst, w := grow(dst, p.words)
	copyOctets(w, r.Header[:])
	t := tail{w: w, base: 8 * rdmap.HeaderOctets}
	t.put(p.seg, uint64(r.SegmentLength))
	t.put(p.load, uint64(r.PayloadLength))
	t.put(p.code, uint64(r.Term.Code))
	t.put(p.kind, uint64(r.Error))
	t.put(p.layer, uint64(r.Term.Layer))
	t.put(p.etype, uint64(r.Term.EType))
	t.put(p.stream, uint64(r.Stream))
	t.flush()
	return dst
}

// tail gathers neighbouring fields of at most 128 bits, so that they go into the packed words at once.
type tail struct {
	w      []uint64
	base   int // bit of the first of them
	lo, hi uint64
}

func (t *tail) put(f engine.Field, v uint64) {
	shift := uint(f.Offset - t.base)
	t.lo |= v << shift
	t.hi |= v<<(shift-64) | v>>(64-shift) // a shift of 64 or more, or below 0, gives 0
}

func (t *tail) flush() {
	word, shift := t.base/64, uint(t.base%64)
	parts := [...]uint64{t.lo << shift, t.lo>>(64-shift) | t.hi<<shift, t.hi >> (64 - shift)}
	for i, v := range parts {
		if word+i < len(t.w) {
			t.w[word+i] |= v
		}
	}
}

// retirePack finds the fields of a retire record in a packed beat.
type retirePack struct {
	words                                         int
	host, stream, opcode, index, original, result engine.Field
}

func newRetirePack(d *engine.Design, stream int) (retirePack, error) {
	words, f, err := offsets(d, stream, "host", "stream", "opcode", "index", "original", "result")
	if err != nil {
		return retirePack{}, err
	}
	if f[4].Offset != 0 || f[5].Offset != 64 {
		return retirePack{}, fmt.Errorf("%s: stream %s: original and result do not start the packed record", d.Top, d.Streams[stream].Name)
	}
	return retirePack{words, f[0], f[1], f[2], f[3], f[4], f[5]}, nil
}

func (p *retirePack) unpack(w []uint64) rdmap.Retired {
	get := func(f engine.Field) uint64 { return engine.Bits(w, f.Offset, f.Width) }
	return rdmap.Retired{Host: get(p.host) == 1, Stream: uint32(get(p.stream)), Opcode: uint8(get(p.opcode)),
		Index: int(get(p.index)), Original: get(p.original), Result: get(p.result)}
}

func (p *retirePack) isHost(w []uint64) bool { return w[p.host.Offset/64]>>(p.host.Offset%64)&1 == 1 }

func (p *retirePack) append(dst []uint64, r rdmap.Retired) []uint64 {
	dst, w := grow(dst, p.words)
	w[0], w[1] = r.Original, r.Result
	t := tail{w: w, base: 128}
	if r.Host {
		t.put(p.host, 1)
	}
	t.put(p.stream, uint64(r.Stream))
	t.put(p.opcode, uint64(r.Opcode))
	t.put(p.index, uint64(r.Index))
	t.flush()
	return dst
}
