package crash

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// kind is a message of a record.
type kind int

const (
	write kind = iota
	flush
	verify
	atomicWrite
	flushTail
	kinds
)

// responses are those to requests.
var responses = [kinds]spec.Class{flush: spec.FlushResponse, verify: spec.VerifyResponse, atomicWrite: spec.AtomicWriteResponse, flushTail: spec.FlushResponse}

// message is one of the log, or a segment of a Write.
type message struct {
	kind    kind
	of      *Transaction
	segment []byte
	last    bool
}

// step is where the times of a message are kept.
func (m *message) step() *Step { return &m.of.Steps[m.kind] }

// log is the log of a stream, and the peer that appends to it.
type log struct {
	stream   uint32
	row      int // of the STag table
	address  uint64
	line     uint64 // the tail is in the first line; the records follow it
	octets   uint64
	before   uint64 // the tail of the empty log
	records  uint64
	damaged  uint64 // the record that is damaged in transit; 0 none
	messages []message
	awaited  []message // requests without a response
	answered uint32    // requests with one
	durable  uint64    // the tail whose Flush has a response
	ended    bool      // by a Terminate
	touched  bool      // storage or durable may have changed

	transactions []*Transaction
	placed       [kinds]int // transactions whose record or tail is placed
	asked        [kinds]int // transactions whose flush the platform has been asked for
}

// algorithms are those of the logs, by stream.
var algorithms = []memory.Algorithm{memory.CRC64NVMe, memory.CRC32C, memory.SHA256}

// newLog draws a log: the first of its records may need a carry in the tail.
func newLog(p *Plan, stream int, address uint64, r *rand.Rand) *log {
	l := &log{stream: uint32(stream), row: stream, address: address, line: uint64(p.Line), octets: uint64(p.Octets), records: uint64(p.Records),
		before: 1<<(8*(1+r.IntN(7))) - 1 - r.Uint64N(min(uint64(p.Records), 200)), touched: true}
	if p.Break == Verify || p.Break == Nothing && stream%4 == 3 {
		l.damaged = l.before + 1 + r.Uint64N(l.records)
	}
	l.durable = l.before
	msn := uint32(0)
	for n := l.before + 1; n <= l.before+l.records; n++ {
		msn = l.append(n, p.Break, msn, r)
	}
	return l
}

func (l *log) stag() uint32 { return memory.STag(l.row, uint8(7*l.row+3)) }

// to is the tagged offset of a record.
func (l *log) to(n uint64) uint64 { return l.line + l.octets*(n-l.before-1) }

func (l *log) length() uint64 { return l.to(l.before + l.records + 1) }

func (l *log) region() memory.Region {
	return memory.Region{Valid: true, Key: uint8(7*l.row + 3), Length: l.length(), Address: l.address, Owner: uint16(l.stream),
		Rights:     memory.RemoteWrite | memory.FlushPersistent | memory.FlushVisible | memory.Verifiable,
		Attributes: memory.Attributes{Type: memory.Flushable, Hash: l.algorithm(), Read: memory.ReadNotNeeded}}
}

func (l *log) algorithm() memory.Algorithm { return algorithms[int(l.stream)%len(algorithms)] }

// record returns the contents of record n: no octet is zero, and consecutive records differ in every octet.
func (l *log) record(n uint64) []byte {
	octets := make([]byte, l.octets)
	for i := range octets {
		octets[i] = byte(1 + (31*n+7*uint64(i)+uint64(l.stream))%255)
	}
	return octets
}

// append queues the messages of a record after the message with this MSN, and returns the last MSN.
func (l *log) append(n uint64, broken Break, msn uint32, r *rand.Rand) uint32 {
	octets, at := l.record(n), l.to(n)
	space := memory.NewSpace()
	space.Write(0, octets)
	digest := space.Digest(nil, l.algorithm(), 0, l.octets)
	if n == l.damaged {
		octets[r.IntN(len(octets))] ^= 1 << r.IntN(8)
	}
	t := newTransaction(l.stream, n, octets)
	l.transactions = append(l.transactions, t)
	for done := 0; done < len(octets); {
		some := min(len(octets)-done, 1+r.IntN(1024))
		last := done+some == len(octets)
		l.messages = append(l.messages, message{write, t, wire.AppendWrite(nil, l.stag(), at+uint64(done), last, octets[done:done+some]), last})
		done += some
	}
	request := func(k kind, segment func(msn uint32) []byte) {
		msn++
		l.messages = append(l.messages, message{k, t, segment(msn), true})
	}
	record := wire.Sink{STag: l.stag(), Length: uint32(l.octets), TO: at}
	tail := wire.Sink{STag: l.stag(), Length: memory.WordOctets}
	flushes := func(s wire.Sink, d wire.Disposition) func(uint32) []byte {
		return func(msn uint32) []byte {
			return wire.AppendFlushRequest(nil, msn, 0, wire.FlushRequest{Sink: s, Flags: d})
		}
	}
	to := wire.Persistence | wire.Disposition(r.IntN(2))*wire.GlobalVisibility
	if broken == Persistence {
		to = wire.GlobalVisibility
	}
	if broken != Flush {
		request(flush, flushes(record, to))
	}
	if broken != Verify {
		request(verify, func(msn uint32) []byte {
			return wire.AppendVerifyRequest(nil, msn, 0, wire.VerifyRequest{Sink: record, Hash: digest})
		})
	}
	request(atomicWrite, func(msn uint32) []byte {
		return wire.AppendAtomicWriteRequest(nil, msn, 0, wire.AtomicWriteRequest{Sink: tail, Data: n})
	})
	request(flushTail, flushes(tail, wire.Persistence))
	return msn
}

// next returns the next segment, if there is one and IRD allows it.
func (l *log) next(ird int) (m message, is bool) {
	if l.ended || len(l.messages) == 0 || l.messages[0].kind != write && len(l.awaited) >= ird {
		return m, false
	}
	m, l.messages = l.messages[0], l.messages[1:]
	if m.kind != write {
		l.awaited = append(l.awaited, m)
	}
	return m, true
}

// idle reports whether the peer has nothing more to send or to wait for.
func (l *log) idle() bool { return l.ended || len(l.messages)+len(l.awaited) == 0 }

// survives describes the fault of a storage that may have these contents; empty: none.
func (l *log) survives(o *memory.Outcomes) string {
	most := l.before
	for _, octets := range o.Values(l.address, memory.WordOctets) {
		tail := binary.BigEndian.Uint64(octets)
		if tail < l.durable || tail > l.before+l.records {
			return fmt.Sprintf("stream %d: the tail may be 0x%X; that of 0x%X was answered, the last record is 0x%X", l.stream, tail, l.durable, l.before+l.records)
		}
		most = max(most, tail)
	}
	for n := l.before + 1; n <= most; n++ {
		if at, lacks := o.Lacks(l.address+l.to(n), l.record(n)); lacks {
			return fmt.Sprintf("stream %d: the tail may be 0x%X, and octet %d of record 0x%X may be missing", l.stream, most, at-l.address-l.to(n), n)
		}
	}
	return ""
}

// place notes which records and tails have been placed by now.
func (l *log) place(o *memory.Outcomes, now uint64) {
	for n := &l.placed[write]; *n < len(l.transactions); *n++ {
		t := l.transactions[*n]
		if !o.Placed(l.address+l.to(t.Record), t.octets) {
			break
		}
		t.Steps[write].Placed = now
	}
	for n := &l.placed[atomicWrite]; *n < len(l.transactions); *n++ {
		t := l.transactions[*n]
		if !o.Placed(l.address, binary.BigEndian.AppendUint64(nil, t.Record)) {
			break
		}
		t.Steps[atomicWrite].Placed = now
	}
}
