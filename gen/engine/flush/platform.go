package flush

import "github.com/rnicgen/rnicgen/hdl"

// PlatformFlush is a flush as the platform is asked for it. Fields are as in a FlushRequest; ID names it in its PlatformFlushed.
type PlatformFlush struct{ Address, Length, Type, Persistent, Visible, ID hdl.Value }

// PlatformFlushed is the answer of the platform to the flush with the same ID. Answers arrive in any order.
type PlatformFlushed struct {
	ID     hdl.Value
	Status hdl.Value // 0: done, 1: failed
}

// IDBits is the width of an ID. The IDs in use are the lowest ones.
const IDBits = 16

// FlushBeat is a PlatformFlush as a beat of AXI4-Stream.
type FlushBeat struct {
	Data hdl.Value `hdl:"tdata" doc:"[63:0] address of the first octet, [95:64] octets, at least 1, [97:96] type of the region, [98] make it persistent, [99] make it globally visible, [111:100] 0, [127:112] ID"`
}

// FlushedBeat is a PlatformFlushed as a beat of AXI4-Stream.
type FlushedBeat struct {
	Data hdl.Value `hdl:"tdata" doc:"[15:0] ID of the flush, [16] 0 done, 1 failed, [23:17] ignored"`
}

// StreamNames are those of AXI4-Stream.
func (FlushBeat) StreamNames() (valid, ready string) { return "tvalid", "tready" }

// StreamNames are those of AXI4-Stream.
func (FlushedBeat) StreamNames() (valid, ready string) { return "tvalid", "tready" }

// FlushBeatOf and FlushedBeatOf are the prototypes.
func FlushBeatOf() FlushBeat     { return FlushBeat{hdl.Bits(128)} }
func FlushedBeatOf() FlushedBeat { return FlushedBeat{hdl.Bits(24)} }

// platformFlushOf is the prototype for IDs of so many bits.
func platformFlushOf(idBits int) PlatformFlush {
	return PlatformFlush{Address: hdl.Bits(64), Length: hdl.Bits(32), Type: hdl.Bits(TypeBits), Persistent: hdl.Bits(1), Visible: hdl.Bits(1), ID: hdl.Bits(idBits)}
}

// beat is the flush on AXI4-Stream.
func (f PlatformFlush) beat() FlushBeat {
	return FlushBeat{hdl.Cat(f.ID.ZeroExtend(IDBits), hdl.Zero(12), f.Visible, f.Persistent, f.Type, f.Length, f.Address)}
}

// fields are what a beat means.
func (b FlushBeat) fields() PlatformFlush {
	d := b.Data
	return PlatformFlush{Address: d.Slice(63, 0), Length: d.Slice(95, 64), Type: d.Slice(97, 96), Persistent: d.Bit(98), Visible: d.Bit(99), ID: d.Slice(127, 112)}
}

// beat is the answer on AXI4-Stream.
func (f PlatformFlushed) beat() FlushedBeat {
	return FlushedBeat{hdl.Cat(hdl.Zero(7), f.Status, f.ID.ZeroExtend(IDBits))}
}

// fields are what a beat means.
func (b FlushedBeat) fields() PlatformFlushed {
	return PlatformFlushed{ID: b.Data.Truncate(IDBits), Status: b.Data.Bit(IDBits)}
}
