package rdmap

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// twinTests uses memory at two addresses that differ in one bit, through regions whose TOs differ in the same bit. A
// bit lost anywhere makes the two indistinguishable.
func twinTests(l *list) {
	for bit := lowestTwin; bit < 64; bit++ {
		l.add(fmt.Sprintf("twin/%d", bit), fmt.Sprintf("two regions whose addresses and TOs differ only in bit %d, and one that extends from the first to the second", bit), flags(HighBit), func(t *T) {
			t.lay(near, memory.Region{Rights: all, Address: 0, Length: twinOctets, Base: 0x100})
			t.lay(far, memory.Region{Rights: all, Address: 1 << bit, Length: twinOctets, Base: 0x100 ^ 1<<bit})
			inOut(t)
			t.lay(near, memory.Region{Rights: all, Address: 0, Length: 1<<bit + twinOctets, Base: 0x100})
			there := 1 << bit // negative for bit 63, which gives the same TO
			t.write(0, near, there+5, pattern(9))
			t.atomic(0, t.fetchAdd(near, there+32, data, 0))
			t.rest()
			t.read(0, near, there, 41)
			t.rest()
			t.postWrite(0, near, there+3, 7)
		}).in(twins)
	}
	l.add("twin/word", "Atomics on words whose addresses differ in one of the bits 3 to 12, at once", flags(HighBit, SameWord), func(t *T) {
		t.lay(near, memory.Region{Rights: all, Address: 0, Length: 2 << lowestTwin, Base: 1 << 40})
		for bit := 3; bit <= lowestTwin; bit++ {
			for stream, offset := range []int{0, 1 << bit} {
				t.atomic(stream, t.fetchAdd(near, offset, 1<<bit|1, 0))
			}
			t.rest()
		}
	}).in(twins)
}

// elsewhere tests Read Responses whose TO or STag differs in one bit from the requested one but is otherwise valid: the
// octets there may be written. Only the comparison with the request can detect the fault.
func elsewhere(l *list) {
	l.add("elsewhere/read_response/to", "Read Responses to TOs that differ from the requested one in each of the bits 3 to 63, in a region of all memory", flags(SingleBit, WrongAnswer), func(t *T) {
		t.lay(near, memory.Region{Rights: all, Address: 0, Length: allOnes, Base: 0})
		a := t.area(near)
		t.each(61, func(stream, _ int) { t.postRead(stream, near, 0, 8) }, func(stream, i int) {
			t.in(stream, wire.AppendReadResponse(nil, a.stag(), 1<<(3+i), true, pattern(8)))
		})
	}).in(twins).ends()
	l.add("elsewhere/read_response/stag", "Read Responses to STags that differ from the requested one in each bit of the index, and map to the same octets", flags(SingleBit, WrongAnswer), func(t *T) {
		r := t.narrow()
		t.lay(near, r)
		a := t.area(near)
		for bit := 0; 1<<bit < t.Config.STags; bit++ {
			other := suite.RegionOf(a.Index^1<<bit, a.Region)
			t.joinControl()
			t.add(suite.Input{Port: suite.PortControl, Region: &other})
			t.again(0)
			t.postRead(0, near, 0, 8)
			t.in(0, wire.AppendReadResponse(nil, uint32(other.STag), r.Base, true, pattern(8)))
		}
	}).ends()
}

// inOut uses the regions near and far in turn, with every kind of message.
func inOut(t *T) {
	t.write(0, near, 0, pattern(40))
	t.write(0, far, 3, pattern(60))
	for i := range min(4, t.Config.IRD) {
		t.atomic(0, t.fetchAdd(near, 64, 1<<i, 0))
		t.atomic(1, t.fetchAdd(far, 64, 1<<(8+i), 0))
	}
	t.rest()
	for _, name := range []string{near, far} {
		t.read(0, name, 0, 100)
		t.rest()
	}
	t.receive(0, near, 128, 30)
	t.receive(0, far, 130, 30)
	t.send(0, wire.OpSend, pattern(29))
	t.send(0, wire.OpSend, pattern(30))
	t.postWrite(0, near, 1, 20)
	t.postSend(0, wire.OpSend, far, 2, 20)
	t.rest()
	t.postRead(0, far, 200, 24)
	t.readResponse(0, far, 200, true, pattern(24))
	id := t.postAtomic(0, near, 240, rdmap.Operands{Data: 1})
	t.atomicResponse(0, id, data)
}
