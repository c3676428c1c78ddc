package engine

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// ReceiveElement is what a beat of a receive request with several buffers says of them: each is a beat.
type ReceiveElement struct {
	More hdl.Value `doc:"1: another element of the same receive request follows, in the next beat of its stream"`
}

// ReceiveList says where the buffers of a receive request are, if it has several.
type ReceiveList struct {
	Is    hdl.Value // it has; its Length is that of all, its Buffer undefined
	Huge  hdl.Value // Length has bit 32; a longer one has all bits
	First hdl.Value // place of the first buffer among the elements of the ring
	Final hdl.Value // and of the last one
}

// ListedRequestOf is the prototype of a receive request that may have several buffers.
func ListedRequestOf(streams int) ReceiveRequest {
	r := ReceiveRequestOf(streams)
	r.List = &ReceiveElement{More: hdl.Bits(1)}
	return r
}

// ListedEntryOf is the prototype of its entry in the ring.
func ListedEntryOf(c Config) RingEntry {
	place := hdl.Bits(block.IndexWidth(c.ReceiveDepth))
	e := RingEntryOf()
	e.List = &ReceiveList{Is: hdl.Bits(1), Huge: hdl.Bits(1), First: place, Final: place}
	return e
}

// ReleasedList is a list of a stream that is no longer used: the place of its first buffer.
type ReleasedList struct {
	Stream hdl.Value `doc:"number of the stream"`
	First  hdl.Value `doc:"place of the first element of a list that is no longer used"`
}

// ReleasedListOf is the prototype.
func ReleasedListOf(c Config) ReleasedList {
	return ReleasedList{Stream: hdl.Bits(block.IndexWidth(c.Streams)), First: hdl.Bits(block.IndexWidth(c.ReceiveDepth))}
}

// ListElement is a buffer of a receive request that has several.
type ListElement struct {
	Buffer Buffer `hdl:"-"`
	Length hdl.Value
}

// ListElementOf is the prototype.
func ListElementOf() ListElement { return ListElement{Buffer: BufferOf(), Length: hdl.Bits(32)} }

// ElementLookup is the read port of the elements: Entry is that of the last cycle with Enable.
type ElementLookup struct {
	Enable hdl.Out
	Stream hdl.Out `doc:"number of the stream"`
	Place  hdl.Out `doc:"of the element in the ring's memory of elements"`
	Entry  hdl.In  `doc:"packed ListElement"`
}

// ElementLookupOf is the prototype.
func ElementLookupOf(c Config) ElementLookup {
	return ElementLookup{Enable: hdl.NewOut(1), Stream: hdl.NewOut(block.IndexWidth(c.Streams)), Place: hdl.NewOut(block.IndexWidth(c.ReceiveDepth)),
		Entry: hdl.NewIn(hdl.PackedWidth(ListElementOf()))}
}
