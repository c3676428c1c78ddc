package rdmap

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// terminateFor is the Terminate with a control word for a segment: with D in it, the length and the DDP header follow.
func terminateFor(control, segment string) string {
	segment = strings.Join(strings.Fields(segment), "")
	text := toNoOne + strings.ReplaceAll(control, " ", "")
	if control[5] == 'C' {
		header := 36
		if segment[0] == 'C' {
			header = 28
		}
		text += fmt.Sprintf("%04X", len(segment)/2) + segment[:header]
	}
	return text
}

const eight = "0102030405060708"

// Every error of an arriving message of the extension: its rule and Terminate, encoded by hand. The last column is the
// control word: layer, error type, code, HdrCt.
func TestCommitErrors(t *testing.T) {
	started := func(w WorkRequest) func(testing.TB, *Engine) {
		w.Local = Buffer{0x1A1, 0x1040}
		w.Commit.Algorithm, w.Commit.Flags = memory.CRC32C, wire.Persistence
		return started(w)
	}
	flushing, verifying, writing := started(WorkRequest{Opcode: wire.OpFlushRequest}), started(WorkRequest{Opcode: wire.OpVerifyRequest}), started(WorkRequest{Opcode: wire.OpAtomicWriteRequest})
	filled := after(nil, flush(0, 1, 0x8A8, 8, 0, 1), flush(0, 2, 0x8A8, 8, 0, 1), verify(0, 3, 0x8A8, 8, 0, ""), atomicWrite(0, 4, 0x8A8, 8, 0, eight))
	sending := func(t testing.TB, e *Engine) {
		receives(t, e)
		flushing(t, e)
		take(t, e, "01 43 00000000 00000000 00000001 00000000 01")
	}

	for _, tt := range []struct {
		name    string
		before  func(testing.TB, *Engine)
		segment string
		rule    spec.Rule
		term    string
	}{
		// The segment alone.
		{"opcode 0x12", nil, "41 52 00000000 00000001 00000001 00000000", spec.ReservedOpcode, "0206 C000"},
		{"queue of a Flush Request", nil, "41 4C 00000000 00000003 00000001 00000000", spec.WrongQueue, "0206 C000"},
		{"queue of a Flush Response", nil, "41 4D 00000000 00000001 00000001 00000000", spec.WrongQueue, "0206 C000"},
		{"a tagged Atomic Write Request", nil, "C1 50 000008A8 0000000000000000", spec.WrongTBit, "0206 C000"},
		{"MO of a Flush Request", nil, "41 4C 00000000 00000001 00000001 00000001", spec.MONotZero, "1204 C000"},
		{"a Flush Request of 19 octets", nil, strings.TrimSuffix(flush(0, 1, 0x7A7, 8, 0, 0), "00"), spec.WrongLength, "0207 C000"},
		{"a Flush Request of 21 octets", nil, flush(0, 1, 0x8A8, 8, 0, 1) + "00", spec.WrongLength, "0207 C000"},
		{"a Verify Request of 15 octets", nil, strings.TrimSuffix(verify(0, 1, 0x8A8, 8, 0, ""), "00 "), spec.WrongLength, "0207 C000"},
		{"an Atomic Write Request of 25 octets", nil, atomicWrite(0, 1, 0x8A8, 8, 0, eight+"00"), spec.WrongLength, "0207 C000"},
		{"a Verify Request in two segments", nil, "01" + verify(0, 1, 0x8A8, 8, 0, "")[2:], spec.WrongLength, "0207 C000"},
		{"a Flush Response of 1 octet", flushing, response("4D", 1, "00"), spec.WrongLength, "0207 C000"},
		{"an Atomic Write Response of 1 octet", writing, response("51", 1, "00"), spec.WrongLength, "0207 C000"},

		// Queue 1.
		{"MSN", nil, flush(0, 2, 0x8A8, 8, 0, 1), spec.MSNOutOfRange, "1203 C000"},
		{"IRD is shared", filled, verify(0, 5, 0x8A8, 8, 0, ""), spec.IRDExceeded, "1202 C000"},
		{"IRD, for a Read", filled, strings.Replace(read(1, 0x8A8, 0), request1, "00000000 00000001 00000005 00000000 ", 1), spec.IRDExceeded, "1202 C000"},

		// Flush.
		{"Flush: no flag, before the STag", nil, flush(0, 1, 0x7A7, 8, 0, 0), spec.FlushFlags, "0207 C000"},
		{"Flush: flag 4", nil, flush(0, 1, 0x8A8, 8, 0, 5), spec.FlushFlags, "0207 C000"},
		{"Flush: flag 31", nil, flush(0, 1, 0x8A8, 8, 0, 0x80000001), spec.FlushFlags, "0207 C000"},
		{"Flush: STag", nil, flush(0, 1, 0x8A9, 8, 0, 1), spec.RequestSTag, "0100 C000"},
		{"Flush: STag, no octets", nil, flush(0, 1, 0x7A7, 0, 0, 1), spec.RequestSTag, "0100 C000"},
		{"Flush: association", nil, flush(0, 1, 0x4A4, 8, 0, 1), spec.RequestAssociation, "0103 C000"},
		{"Flush: the right to P", nil, flush(0, 1, 0x9A9, 8, 0, 1), spec.RequestAccess, "0102 C000"},
		{"Flush: the right to P, asked with G", nil, flush(0, 1, 0x9A9, 8, 0, 3), spec.RequestAccess, "0102 C000"},
		{"Flush: the right to G", nil, flush(0, 1, 0xAAA, 8, 0, 2), spec.RequestAccess, "0102 C000"},
		{"Flush: Remote Write is no right to flush", nil, flush(0, 1, 0xBAB, 8, 3, 2), spec.RequestAccess, "0102 C000"},
		{"Flush: wrap", nil, flush(0, 1, 0xCAC, 17, 1<<64-16, 1), spec.RequestTOWrap, "0104 C000"},
		{"Flush: bounds", nil, flush(0, 1, 0x8A8, 1<<32-1, 0, 1), spec.RequestBounds, "0101 C000"},
		{"Flush: no octets behind the end", nil, flush(0, 1, 0x8A8, 0, 0x101, 1), spec.RequestBounds, "0101 C000"},
		{"Flush: Invalidate STag", nil, flush(0x7A7, 1, 0x8A8, 8, 0, 1), spec.CannotInvalidate, "0109 C000"},
		{"Flush: Invalidate STag without the right", nil, flush(0xBAB, 1, 0x8A8, 8, 0, 1), spec.CannotInvalidate, "0109 C000"},
		{"Flush: bounds before the Invalidate STag", nil, flush(0x7A7, 1, 0x8A8, 8, 0xFC, 1), spec.RequestBounds, "0101 C000"},

		// Verify.
		{"Verify: STag", nil, verify(0, 1, 0x7A7, 8, 0, ""), spec.RequestSTag, "0100 C000"},
		{"Verify: STag before the hash", nil, verify(0, 1, 0x7A7, 8, 0, "01"), spec.RequestSTag, "0100 C000"},
		{"Verify: association", nil, verify(0, 1, 0x4A4, 8, 0x1000, ""), spec.RequestAssociation, "0103 C000"},
		{"Verify: not Verifiable", nil, verify(0, 1, 0x1A1, 8, 0x1000, ""), spec.RequestAccess, "0102 C000"},
		{"Verify: a CRC without Remote Read", nil, verify(0, 1, 0xEAE, 8, 0, ""), spec.RequestAccess, "0102 C000"},
		{"Verify: wrap", nil, verify(0, 1, 0xCAC, 2, 1<<64-1, ""), spec.RequestTOWrap, "0104 C000"},
		{"Verify: bounds", nil, verify(0, 1, 0x8A8, 8, 0xF9, "01"), spec.RequestBounds, "0101 C000"},
		{"Verify: no octets behind the end", nil, verify(0, 1, 0x8A8, 0, 0x101, ""), spec.RequestBounds, "0101 C000"},
		{"Verify: a hash of 3 octets", nil, verify(0, 1, 0x8A8, 0, 0, "000000"), spec.HashLength, "0207 C000"},
		{"Verify: a hash of 5 octets", nil, verify(0, 1, 0x8A8, 0, 0, "0000000000"), spec.HashLength, "0207 C000"},
		{"Verify: a correct beginning of the hash", nil, verify(0, 1, 0x9A9, 0, 0, "E3B0C44298FC1C14"), spec.HashLength, "0207 C000"},
		{"Verify: a hash of 100 octets", nil, verify(0, 1, 0x8A8, 0, 0, strings.Repeat("00", 100)), spec.HashLength, "0207 C000"},
		{"Verify: the hash before the Invalidate STag", nil, verify(0x7A7, 1, 0x8A8, 0, 0, "00"), spec.HashLength, "0207 C000"},
		{"Verify: Invalidate STag", nil, verify(0x4A4, 1, 0x8A8, 0, 0, ""), spec.CannotInvalidate, "0109 C000"},

		// Atomic Write.
		{"Atomic Write: length 4, before the STag", nil, atomicWrite(0, 1, 0x7A7, 4, 0, eight), spec.AtomicWriteLength, "0207 C000"},
		{"Atomic Write: length 0", nil, atomicWrite(0, 1, 0x8A8, 0, 0, eight), spec.AtomicWriteLength, "0207 C000"},
		{"Atomic Write: length 9", nil, atomicWrite(0, 1, 0x8A8, 9, 0, eight), spec.AtomicWriteLength, "0207 C000"},
		{"Atomic Write: STag", nil, atomicWrite(0, 1, 0x7A7, 8, 0, eight), spec.RequestSTag, "0100 C000"},
		{"Atomic Write: association", nil, atomicWrite(0, 1, 0x4A4, 8, 0, eight), spec.RequestAssociation, "0103 C000"},
		{"Atomic Write: Remote Write", nil, atomicWrite(0, 1, 0x9A9, 8, 0, eight), spec.RequestAccess, "0102 C000"},
		{"Atomic Write: wrap", nil, atomicWrite(0, 1, 0xCAC, 8, 1<<64-7, eight), spec.RequestTOWrap, "0104 C000"},
		{"Atomic Write: bounds before alignment", nil, atomicWrite(0, 1, 0x8A8, 8, 0xF9, eight), spec.RequestBounds, "0101 C000"},
		{"Atomic Write: alignment before the Invalidate STag", nil, atomicWrite(0x7A7, 1, 0x8A8, 8, 4, eight), spec.Misaligned, "0207 C000"},
		{"Atomic Write: an aligned TO of an unaligned address", nil, atomicWrite(0, 1, 0x6A6, 8, 8, eight), spec.Misaligned, "0207 C000"},
		{"Atomic Write: Invalidate STag", nil, atomicWrite(0x7A7, 1, 0x8A8, 8, 0, eight), spec.CannotInvalidate, "0109 C000"},

		// Queue 3.
		{"Flush Response: MSN", flushing, response("4D", 2, ""), spec.MSNOutOfRange, "1203 C000"},
		{"Flush Response: no request", nil, response("4D", 1, ""), spec.NoAtomicOutstanding, "1202 C000"},
		{"Verify Response to a Flush", flushing, response("4F", 1, "00000000"), spec.UnexpectedResponse, "0206 C000"},
		{"Flush Response to a Verify", verifying, response("4D", 1, ""), spec.UnexpectedResponse, "0206 C000"},
		{"Flush Response to an Atomic Write", writing, response("4D", 1, ""), spec.UnexpectedResponse, "0206 C000"},
		{"Atomic Response to an Atomic Write", writing, response("4B", 1, "00000001"+eight), spec.UnexpectedResponse, "0206 C000"},
		{"Read Response to a Verify", verifying, readData + "000001A1 0000000000001040 01020304", spec.UnexpectedResponse, "0206 C000"},
		{"Flush Response inside a Send", sending, response("4D", 1, ""), spec.Interleaved, "0206 C000"},
		{"Verify Response of 3 octets", verifying, response("4F", 1, "010203"), spec.ResponseLength, "0207 C000"},
		{"Verify Response of 0 octets", verifying, response("4F", 1, ""), spec.ResponseLength, "0207 C000"},
		{"Verify Response of 32 octets", verifying, response("4F", 1, strings.Repeat("00", 32)), spec.ResponseLength, "0207 C000"},
		{"Verify Response: the buffer is gone", func(t testing.TB, e *Engine) {
			verifying(t, e)
			require.NoError(t, e.SetRegion(1, memory.Region{}))
		}, response("4F", 1, "01020304"), spec.Local, "0000 0000"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := committer(t)
			if tt.before != nil {
				tt.before(t, e)
			}
			segment := octets(t, tt.segment)
			before := e.Counters()
			require.Contains(t, e.Faults(1, segment), tt.rule)
			require.Equal(t, tt.rule, e.Receive(1, segment).Error)
			assert.Equal(t, before.OctetsPlaced, e.Counters().OctetsPlaced)
			assert.False(t, e.IsOpen(1))
			segments, x := execute(t, e)
			for x.Kind == ExecutedRequest {
				segments, x = execute(t, e)
			}
			assert.Equal(t, ExecutedTerminate, x.Kind)
			assert.Equal(t, hexes(t, terminateFor(tt.term, tt.segment)), segments)
			idle(t, e)
		})
	}
}

// The order of checks on the memory that a request names, all faults at once: each is reported once those before it are
// repaired.
func TestCommitCheckOrder(t *testing.T) {
	e := committer(t)
	all := e.Faults(1, octets(t, atomicWrite(0x7A7, 1, 0x9A9, 4, 0x101, eight)))
	assert.Equal(t, []spec.Rule{spec.AtomicWriteLength, spec.RequestAccess, spec.RequestBounds, spec.Misaligned, spec.CannotInvalidate}, all)
	all = e.Faults(1, octets(t, flush(0x7A7, 1, 0x9A9, 0, 0x101, 9)))
	assert.Equal(t, []spec.Rule{spec.FlushFlags, spec.RequestAccess, spec.RequestBounds, spec.CannotInvalidate}, all)
	all = e.Faults(1, octets(t, verify(0x7A7, 2, 0x8A8, 1, 0x100, "00")))
	assert.Equal(t, []spec.Rule{spec.MSNOutOfRange, spec.RequestBounds, spec.HashLength, spec.CannotInvalidate}, all)
}
