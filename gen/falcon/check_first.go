package falcon

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/hdl"
)

// sequenceBits is the width of SN and RMSN.
const sequenceBits = 32

// relate gives the SN and the RMSN of a request as if the numbers of its QP began with 1: all state counts from there on. The response to a pull
// has the SN of its packet.
func (k *check) relate() {
	m, p, c := k.m, k.p, k.c
	m.Section("SN and RMSN, counted from the first ones of the QP")
	before := m.Memory("numbers_before", sequenceBits, c.Streams)
	before.Write(p.Setup.Valid, p.Setup.Data.Stream, p.Setup.Data.Before)
	of := before.Read("number_before_q", k.pipe.Valid(0), k.stream.At(0), hdl.ReadOld)
	h := k.record.Header
	relative := func(name string, v hdl.Value) *block.Signal { return k.signal(name, checkTaken, v.Sub(of)) }
	k.sn, k.state.named = relative("sn", h.SN), relative("rmsn", h.RMSN)
}
