package simulator

import (
	"math/bits"
	"slices"
)

// MemoryLayout maps the channels of a memory to streams and ports. Entries for missing channels, of a memory without Writes or
// without Reads, are 0.
type MemoryLayout struct {
	Writes, Reads bool
	AW, AR        AddressChannel
	W             struct{ Stream, Data, Strb, Last int }
	B             struct{ Stream, ID, Resp int }
	R             struct{ Stream, ID, Data, Resp, Last int }
}

// AddressChannel is one of AW and AR: the indices of its stream and its ports.
type AddressChannel struct{ Stream, ID, Addr, Len, Size, Burst int }

// maxIDBits limits the ID width of a memory.
const maxIDBits = 6

// MemoryLayout returns the layout of a memory of a design that passed Check.
func (d *Design) MemoryLayout(memory int) MemoryLayout {
	c := checker{design: d, use: map[string]string{}}
	return c.memory(d.Memories[memory])
}

// MemoryOf returns the index of the memory that a stream belongs to, -1 if there is none. The design must have passed Check.
func (d *Design) MemoryOf(stream int) int {
	for i := range d.Memories {
		l := d.MemoryLayout(i)
		if l.Writes && (stream == l.AW.Stream || stream == l.W.Stream || stream == l.B.Stream) ||
			l.Reads && (stream == l.AR.Stream || stream == l.R.Stream) {
			return i
		}
	}
	return -1
}

// memory finds the channels of a memory and reports errors in them.
func (c *checker) memory(p MemoryPort) (l MemoryLayout) {
	if p.Bytes < 8 || p.Bytes > 128 || bits.OnesCount(uint(p.Bytes)) != 1 {
		c.add("memory %s: a bus of %d bytes; it must be a power of two from 8 to 128", p.Name, p.Bytes)
		return l
	}
	f := memoryFinder{checker: c, port: p}
	l.Writes, l.Reads = f.has("awvalid"), f.has("arvalid")
	if !l.Writes && !l.Reads {
		c.add("memory %s: there is neither a port %s_awvalid nor a port %s_arvalid", p.Name, p.Prefix, p.Prefix)
	}
	if l.Writes {
		l.AW = f.address("aw")
		l.W.Stream = f.stream("w", Source, "data", "strb", "last")
		l.W.Data, l.W.Strb, l.W.Last = f.field("wdata", 8*p.Bytes), f.field("wstrb", p.Bytes), f.field("wlast", 1)
		l.B.Stream = f.stream("b", Sink, "id", "resp")
		l.B.ID, l.B.Resp = f.field("bid", f.width(l.AW.ID)), f.field("bresp", 2)
	}
	if l.Reads {
		l.AR = f.address("ar")
		l.R.Stream = f.stream("r", Sink, "id", "data", "resp", "last")
		l.R.ID, l.R.Data = f.field("rid", f.width(l.AR.ID)), f.field("rdata", 8*p.Bytes)
		l.R.Resp, l.R.Last = f.field("rresp", 2), f.field("rlast", 1)
	}
	return l
}

type memoryFinder struct {
	*checker
	port MemoryPort
}

func (f memoryFinder) index(name string) int {
	return slices.IndexFunc(f.design.Ports, func(p Port) bool { return p.Name == f.port.Prefix+"_"+name })
}

func (f memoryFinder) has(name string) bool { return f.index(name) >= 0 }

func (f memoryFinder) width(port int) int { return f.design.Ports[port].Width }

// field finds a port; width 0 means any.
func (f memoryFinder) field(name string, width int) int {
	i := f.index(name)
	if i < 0 {
		f.add("memory %s: there is no port %s_%s", f.port.Name, f.port.Prefix, name)
		return 0
	}
	if width != 0 && f.width(i) != width {
		f.add("memory %s: port %s_%s is %d bits wide; it must be %d", f.port.Name, f.port.Prefix, name, f.width(i), width)
	}
	return i
}

func (f memoryFinder) address(channel string) AddressChannel {
	a := AddressChannel{
		Stream: f.stream(channel, Source, "id", "addr", "len", "size", "burst"),
		ID:     f.field(channel+"id", 0), Addr: f.field(channel+"addr", 0), Len: f.field(channel+"len", 8),
		Size: f.field(channel+"size", 3), Burst: f.field(channel+"burst", 2)}
	if w := f.width(a.ID); w > maxIDBits {
		f.add("memory %s: port %s_%sid is %d bits wide; the maximum is %d", f.port.Name, f.port.Prefix, channel, w, maxIDBits)
	}
	if w := f.width(a.Addr); w > 64 {
		f.add("memory %s: port %s_%saddr is %d bits wide; the maximum is 64", f.port.Name, f.port.Prefix, channel, w)
	}
	return a
}

// stream finds a channel. A channel into the design has exactly these fields, since others would be undriven.
func (f memoryFinder) stream(channel string, dir StreamDir, fields ...string) int {
	prefix := f.port.Prefix + "_" + channel
	i := slices.IndexFunc(f.design.Streams, func(s Stream) bool { return s.Valid == prefix+"valid" })
	if i < 0 {
		f.add("memory %s: no stream has the valid %svalid", f.port.Name, prefix)
		return 0
	}
	s := f.design.Streams[i]
	if s.Dir != dir || s.Monitor() {
		f.add("memory %s: stream %s must be a %s with a ready", f.port.Name, s.Name, dir)
	}
	for _, field := range fields {
		if !slices.Contains(s.Fields, prefix+field) {
			f.add("memory %s: stream %s has no field %s", f.port.Name, s.Name, prefix+field)
		}
	}
	if dir == Sink && len(s.Fields) > len(fields) {
		f.add("memory %s: stream %s has more fields than %v", f.port.Name, s.Name, fields)
	}
	return i
}
