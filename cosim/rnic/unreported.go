package rnic

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/rnicgen/rnicgen/model/atomic"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// Without the retire port, the execution of an atomic is not reported. On a live stream, its response implies it, which is sent in
// the order of the requests; and no other stream accesses the word. If a stream has ended without a response, memory decides.

// withoutResponse returns the Atomics and Atomic Writes among requests of the peer.
func withoutResponse(queue []inbound) (list []inbound) {
	for _, in := range queue {
		if in.is(words) {
			list = append(list, in)
		}
	}
	return list
}

// adopt finds how many unanswered atomics a stream has executed, in order, before it ended, and makes the model execute the
// same ones.
//
// Either: an atomic whose response is never sent was executed, or not; if it was, so were those before it.
func (n *Node) adopt(stream uint32, list []inbound) error {
	if n.config.RetirePort || len(list) == 0 {
		return nil
	}
	f := &n.streams[stream]
	if f.words == nil {
		f.words = map[uint64]uint64{}
	}
	device, now := map[uint64]uint64{}, map[uint64]uint64{}
	for _, in := range list {
		var octets [memory.WordOctets]byte
		if err := n.Device.memory.Read(in.address, octets[:]); err != nil {
			return err
		}
		device[in.address] = binary.LittleEndian.Uint64(octets[:])
		if _, is := f.words[in.address]; !is {
			f.words[in.address] = n.Model.Memory().Word(in.address)
		}
		now[in.address] = f.words[in.address]
	}
	same := func() bool {
		for _, in := range list {
			if device[in.address] != now[in.address] {
				return false
			}
		}
		return true
	}
	for i := 0; !same(); i++ {
		if i == len(list) {
			in := list[0]
			return n.differs(stream, fmt.Sprintf("a word that atomics change, at 0x%X", in.address), fmt.Sprintf("0x%X", device[in.address]),
				fmt.Sprintf("0x%X before them", f.words[in.address]))
		}
		now[list[i].address] = n.changes(&list[i], now[list[i].address])
	}
	for _, in := range list {
		n.Model.Memory().SetWord(in.address, now[in.address])
	}
	return nil
}

// changes returns what an Atomic or Atomic Write, which the model has received, makes of a word.
func (n *Node) changes(in *inbound, word uint64) uint64 {
	if in.is(spec.AtomicWriteRequest) {
		var w wire.AtomicWriteRequest
		_ = w.Decode(in.payload)
		if n.config.HostOrder() {
			return w.Data
		}
		return bits.ReverseBytes64(w.Data)
	}
	var r wire.AtomicRequest
	_ = r.Decode(in.payload)
	return atomic.Execute(r.AOpCode, word, r.Data, r.Mask, r.CompareData, r.CompareMask)
}
