package gen

import "github.com/rnicgen/rnicgen/hdl"

// AtomicAccess is one checked access to the memory window: an atomic of a stream, or, with Host set, a read
// or write of the host, for which Opcode is HostRead or HostWrite and Data the word to write.
type AtomicAccess struct {
	Tag      AccessTag      `hdl:"-"`
	Operands AtomicOperands `hdl:"-"`
}

// AccessTag says whose access it is and which word it hits. Msn and Identifier go into the response.
type AccessTag struct {
	Host       hdl.Value
	Stream     hdl.Value
	Msn        hdl.Value
	Identifier hdl.Value
	Index      hdl.Value
}

// AtomicOperands is an operation without the word that it works on.
type AtomicOperands struct {
	Opcode      hdl.Value `doc:"AOpCode of an Atomic"`
	Data        hdl.Value `doc:"Add Data or Swap Data; of Immediate Data, its 8 octets, the first one most significant"`
	Mask        hdl.Value `doc:"Add Mask or Swap Mask"`
	Compare     hdl.Value `doc:"Compare Data"`
	CompareMask hdl.Value `doc:"Compare Mask"`
}

// What Opcode means on the host port.
const (
	HostRead  = 0
	HostWrite = 1
)

func atomicAccess(streams, words int) AtomicAccess {
	return AtomicAccess{
		Tag: AccessTag{Host: hdl.Bits(1), Stream: hdl.Bits(indexWidth(streams)), Msn: hdl.Bits(32),
			Identifier: hdl.Bits(32), Index: hdl.Bits(indexWidth(words))},
		Operands: AtomicOperands{Opcode: hdl.Bits(4), Data: hdl.Bits(64), Mask: hdl.Bits(64),
			Compare: hdl.Bits(64), CompareMask: hdl.Bits(64)}}
}

// AtomicReply is what an atomic sends back.
type AtomicReply struct {
	Stream     hdl.Value
	Msn        hdl.Value
	Identifier hdl.Value
	Original   hdl.Value
}

func atomicReply(streams int) AtomicReply {
	return AtomicReply{Stream: hdl.Bits(indexWidth(streams)), Msn: hdl.Bits(32), Identifier: hdl.Bits(32), Original: hdl.Bits(64)}
}

// HostAccess is a read or, with Write set, a write of one word by the host; the answer is the word from
// before it.
type HostAccess struct {
	Write hdl.Value `doc:"1 writes data, 0 reads"`
	Index hdl.Value `doc:"word of the window"`
	Data  hdl.Value `doc:"word to write"`
}

func hostAccess(words int) HostAccess {
	return HostAccess{Write: hdl.Bits(1), Index: hdl.Bits(indexWidth(words)), Data: hdl.Bits(64)}
}

// HostAnswer is the word from before a host access.
type HostAnswer struct {
	Data hdl.Value `doc:"the word from before the access"`
}

func hostAnswer() HostAnswer { return HostAnswer{Data: hdl.Bits(64)} }

// Retire reports one executed access, in the clock in which Valid is 1. The order of the reports is the order
// in which the accesses took effect.
type Retire struct {
	Valid    hdl.Out `doc:"an access takes effect in this clock"`
	Host     hdl.Out `doc:"it is the host's"`
	Stream   hdl.Out `doc:"number of the RDMAP Stream; 0 for the host"`
	Opcode   hdl.Out `doc:"AOpCode; for the host 0 read, 1 write"`
	Index    hdl.Out `doc:"word of the window"`
	Original hdl.Out `doc:"word before the access"`
	Result   hdl.Out `doc:"word after it"`
}

func retire(streams, words int) *Retire {
	return &Retire{Valid: hdl.NewOut(1), Host: hdl.NewOut(1), Stream: hdl.NewOut(indexWidth(streams)), Opcode: hdl.NewOut(4),
		Index: hdl.NewOut(indexWidth(words)), Original: hdl.NewOut(64), Result: hdl.NewOut(64)}
}
