package rnic

import (
	"bytes"
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// waits reports whether the peer's oldest request waits for the rest of a message.
func (n *Node) waits(stream uint32) bool {
	queued, waiting := n.Model.Queued(stream)
	return waiting > 0 && waiting == queued
}

// gone reports whether the STag of a request has been invalidated since the request was received. A Flush or Verify has one even of 0 octets.
func (n *Node) gone(in *inbound) bool {
	if in.octets == 0 && !in.is(spec.Committing) {
		return false
	}
	region, is := n.Model.Region(int(in.stag >> 8))
	return !is || !region.Valid
}

// execute makes the model answer the next request of a stream, receiving segments until there is one. After the last segment
// of an ended stream, it ends the stream.
func (n *Node) execute(stream uint32) *rdmap.Executed {
	f := &n.streams[stream]
	for (len(f.queue) == 0 || n.waits(stream)) && n.Model.IsOpen(stream) {
		if !n.take(stream) {
			return nil
		}
	}
	if len(f.queue) == 0 {
		return n.append(stream, nil)
	}
	in := f.queue[0]
	if f.executed >= f.limit || n.failsMemory(&in) {
		return nil
	}
	if !n.gone(&in) {
		return n.append(stream, &in)
	}
	// Either: the request is executed before the Send with Invalidate is received, or not at all.
	if in.gone {
		return nil
	}
	index := int(in.stag >> 8)
	region, _ := n.Model.Region(index)
	region.Valid = true
	_ = n.Model.SetRegion(index, region) // restored: it was valid before
	done := n.append(stream, &in)
	region.Valid = false
	_ = n.Model.SetRegion(index, region)
	return done
}

// append executes a request and keeps the responses that can be sent.
func (n *Node) append(stream uint32, in *inbound) *rdmap.Executed {
	f := &n.streams[stream]
	if in != nil && in.is(spec.VerifyRequest) {
		n.Model.Platform().Flush(memory.Stored, in.address, in.octets) // the device's memory has no caches
	}
	if in != nil {
		n.followFlush(stream, in)
	}
	segments, done := n.Model.Execute(stream)
	muted := f.failures.has(responseFailed)
	if in != nil {
		f.queue = f.queue[1:]
		n.drops = n.drops || invalidates(in.header) && f.failures.has(payloadUnread)
		f.executed++
		if in.is(spec.ReadRequest) {
			f.shown.started++
		}
		if first := n.firstFailure(in.address, in.octets, false); in.is(spec.ReadRequest) && first < in.octets {
			segments = segments[:first/uint64(n.config.MaxPayload)] // those before the failure
			f.failures |= responseFailed
		}
	}
	if !muted || done != nil && done.Kind == rdmap.ExecutedTerminate {
		for _, s := range segments {
			f.responses = append(f.responses, bytes.Clone(s))
		}
	}
	n.collect(stream)
	return done
}

// words are requests that the atomic unit executes.
const words = spec.AtomicRequest | spec.AtomicWriteRequest

// writeCode is the AOpCode with which the retire port reports an Atomic Write.
const writeCode = 0xF

// followAtomic executes the requests of a stream up to its next atomic, which must match the one that the device reports.
func (n *Node) followAtomic(r Retired) error {
	n.checked.Atomics++
	f := &n.streams[r.Stream]
	if far := n.config.FarMemoryBit > 0 && r.Address>>n.config.FarMemoryBit&1 == 1; r.Far != far {
		return n.differs(r.Stream, "the unit of an atomic", fmt.Sprintf("%+v", r), fmt.Sprintf("far: %t", far))
	}
	fails := n.fails(r.Address, memory.WordOctets, false)
	if !fails && n.fails(r.Address, memory.WordOctets, true) {
		// If memory refuses the write, only the device knows the value.
		n.Model.Memory().SetWord(r.Address, r.Original)
		if r.Opcode != writeCode {
			f.failures |= resultRefused
		}
	}
	if fails != r.Failed {
		return n.differs(r.Stream, "an atomic", fmt.Sprintf("%+v", r), fmt.Sprintf("failed: %t", fails))
	}
	device := fmt.Sprintf("%s at 0x%X: 0x%X becomes 0x%X", r.Opcode, r.Address, r.Original, r.Result)
	for {
		done := n.execute(r.Stream)
		if done == nil && n.refusesWrite(r.Stream, device, fails) {
			return nil
		}
		if done == nil {
			return n.differs(r.Stream, "an atomic", device, "none")
		}
		if done.Kind == rdmap.ExecutedRequest && !done.Is(words) {
			continue
		}
		if done.Is(spec.AtomicWriteRequest) {
			done.Opcode = writeCode
		}
		model := fmt.Sprintf("%s at 0x%X: 0x%X becomes 0x%X", done.Opcode, done.Address, done.Original, done.Result)
		if fails && done.Is(words) {
			model = fmt.Sprintf("%s at 0x%X: 0x%X becomes 0x%X", done.Opcode, done.Address, 0, 0)
			if !f.failures.has(responseFailed) {
				f.responses = f.responses[:len(f.responses)-1]
			}
			f.failures |= responseFailed
		}
		if !done.Is(words) {
			model = "the stream has ended"
		}
		if device != model {
			return n.differs(r.Stream, "an atomic", device, model)
		}
		return nil
	}
}

// refusesWrite reports whether the next request of a stream is an Atomic Write that memory refuses, and reported like this.
func (n *Node) refusesWrite(stream uint32, device string, fails bool) bool {
	f := &n.streams[stream]
	if f.refused || len(f.queue) == 0 || n.waits(stream) || !f.queue[0].is(spec.AtomicWriteRequest) || !n.failsMemory(&f.queue[0]) {
		return false
	}
	f.refused = true
	address := f.queue[0].address
	original := n.Model.Memory().Word(address)
	result := n.changes(&f.queue[0], original)
	if fails {
		original, result = 0, 0
	}
	return device == fmt.Sprintf("%s at 0x%X: 0x%X becomes 0x%X", wire.AOpCode(writeCode), address, original, result)
}
