package rdmap

import (
	"encoding/binary"

	"github.com/rnicgen/rnicgen/model/atomic"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// atomics implements the Atomic Operations: RFC 7306 section 5.
type atomics struct{}

var _ = executes("atomic", atomics{})

func (atomics) names(payload []byte) target {
	var r wire.AtomicRequest
	_ = r.Decode(payload) // the length has been checked
	return target{stag: r.RemoteSTag, to: r.RemoteTO, octets: memory.WordOctets}
}

// checkRequest rejects an unsupported operation, RFC 7306 section 5.2.1, item 4.
func (atomics) checkRequest(e *Engine, payload []byte) spec.Rule {
	var r wire.AtomicRequest
	_ = r.Decode(payload)
	if !r.AOpCode.Supported(e.config.Draft00) {
		return spec.AOpCodeNotSupported
	}
	return spec.None
}

// checkTarget rejects a memory address that is not a multiple of 8, RFC 7306 section 8.2 (I-05).
func (atomics) checkTarget(_ []byte, address uint64, _ memory.Region) spec.Rule {
	return checkAligned(address)
}

func checkAligned(address uint64) spec.Rule {
	if address%memory.WordOctets != 0 {
		return spec.Misaligned
	}
	return spec.None
}

// execute performs an Atomic Operation and responds, RFC 7306 sections 5.1 and 5.2.2. The word has the byte order of
// the memory (section 5.1.1).
func (atomics) execute(e *Engine, s *endpoint, r *request) spec.Rule {
	var a wire.AtomicRequest
	_ = a.Decode(r.payload())
	if !e.readable(s, r.address, memory.WordOctets) {
		return spec.Local
	}
	original := e.space.Word(r.address)
	result := atomic.Execute(a.AOpCode, original, a.Data, a.Mask, a.CompareData, a.CompareMask)
	if e.WriteError != nil && e.WriteError(s.peer.Stream, r.address, memory.WordOctets) {
		return spec.Local
	}
	e.space.SetWord(r.address, result)
	e.writeThrough(r.stag, r.address, memory.WordOctets)
	e.counters.AtomicsExecuted++

	x := &e.executed
	x.Address, x.Opcode, x.Original, x.Result, x.ResponseMSN = r.address, a.AOpCode, original, result, s.count(wire.QueueAtomicResponse)
	start := len(e.tx)
	e.tx = wire.AppendAtomicResponse(e.tx, x.ResponseMSN, wire.AtomicResponse{
		OriginalRequestIdentifier: a.RequestIdentifier,
		OriginalRemoteDataValue:   original,
	})
	e.emit(start)
	return spec.None
}

// appendRequest uses the MSN as the Request Identifier. Unused operands have the values of RFC 7306 section 5.2.1,
// whatever was posted.
func (atomics) appendRequest(tx []byte, w *work) []byte {
	o := &w.Operands
	r := wire.NewCmpSwap(w.msn, w.Remote.STag, w.Remote.TO, o.Data, o.Mask, o.CompareData, o.CompareMask)
	switch r.AOpCode = o.AOpCode; r.AOpCode {
	case wire.FetchAdd:
		r = wire.NewFetchAdd(w.msn, w.Remote.STag, w.Remote.TO, o.Data, o.Mask)
	case wire.Swap:
		r = wire.NewSwap(w.msn, w.Remote.STag, w.Remote.TO, o.Data)
	}
	return wire.AppendAtomicRequest(tx, w.msn, r)
}

func (atomics) lengths(*WorkRequest) (buffer, reported uint32) {
	return memory.WordOctets, memory.WordOctets
}

// reply returns the original word, for the requester's buffer in the byte order of the memory.
func (atomics) reply(w *work, payload []byte) (reply, spec.Rule) {
	var r wire.AtomicResponse
	_ = r.Decode(payload) // the length has been checked
	answer, rule := reply{octets: memory.WordOctets, data: r.OriginalRemoteDataValue}, spec.None
	binary.LittleEndian.PutUint64(answer.buffer[:], answer.data)
	if r.OriginalRequestIdentifier != w.msn {
		rule = spec.WrongIdentifier
	}
	return answer, rule
}
