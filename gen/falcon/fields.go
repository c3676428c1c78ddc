package falcon

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// HeaderOctets is the length of the longest headers, those of an Atomic of XRC.
var HeaderOctets = func() (most int) {
	for i := range spec.Operations {
		most = max(most, spec.Operations[i].HeaderOctets())
	}
	return most
}()

// orderOptions are those of a block whose text depends on the order of bits.
func orderOptions(order spec.BitOrder) []string {
	if order == spec.Drawn {
		return nil
	}
	return []string{order.String()}
}

// fields reads the headers of a packet from its octets, octet i in [8i+7:8i].
type fields struct {
	m      *hdl.Module
	order  spec.BitOrder
	octets hdl.Value           // as received
	others hdl.Value           // after RBTH, without XRCETH
	at     map[place]hdl.Value // the packet type has a header there
}

// place is an octet at which some packet types have a header, once XRCETH is taken out.
type place struct {
	header spec.Header
	octet  int
}

func (p place) String() string { return fmt.Sprintf("%s_at_%d", p.header, p.octet) }

// placeOf is that of a header of a packet type; false if it does not have it.
func placeOf(row *spec.Operation, h spec.Header) (place, bool) {
	p := place{header: h}
	for _, before := range row.Headers {
		if before == h {
			return p, true
		}
		if before != spec.XRCETH {
			p.octet += before.Octets()
		}
	}
	return p, false
}

// placesOf lists those of a header.
func placesOf(h spec.Header) (list []place) {
	for _, row := range rows() {
		if p, has := placeOf(row, h); has && !slices.Contains(list, p) {
			list = append(list, p)
		}
	}
	return list
}

// get reads a field of a header that begins at an octet.
func (f fields) get(octets hdl.Value, h spec.Header, octet int, name string) hdl.Value {
	field := h.Table(f.order).MustField(name)
	first, last := field.Offset/8, (field.Offset+field.Width-1)/8
	network := octets.Slice(8*(octet+last)+7, 8*(octet+first)).ReverseOctets()
	top := network.Width() - 1 - (field.Offset - 8*first)
	return network.Slice(top, top-field.Width+1)
}

// rbth reads a field of RBTH.
func (f fields) rbth(name string) hdl.Value { return f.get(f.octets, spec.RBTH, 0, name) }

// header returns the octets of another header, wherever the packet type has it.
func (f fields) header(h spec.Header) func(name string) hdl.Value {
	octets := func(p place) hdl.Value {
		at := p.octet - spec.RBTH.Octets()
		return f.others.Slice(8*(at+h.Octets())-1, 8*at)
	}
	places := placesOf(h)
	header := octets(places[0])
	if len(places) > 1 {
		var rows []hdl.When
		for _, p := range places[1:] {
			rows = append(rows, hdl.When{Cond: f.at[p], Then: octets(p)})
		}
		header = f.m.Let(h.String(), hdl.Select(header, rows...))
	}
	return func(name string) hdl.Value { return f.get(header, h, 0, name) }
}

// record reads all fields; xrceth is 1 if the packet has XRCETH.
func (f fields) record(xrceth hdl.Value) Header {
	f.m.Unused("checked with the first word, or ignored on receive", f.rbth("version"), f.rbth("reserved_low"), f.rbth("pad"), f.rbth("r"), f.rbth("reserved_high"))
	first, rest := 8*spec.RBTH.Octets(), 8*(spec.RBTH.Octets()+spec.XRCETH.Octets())
	f.m.Note("The headers after RBTH, without XRCETH, which directly follows it.")
	f.others = f.m.Let("other_headers", hdl.Mux(xrceth, f.octets.Slice(f.octets.Width()-1, rest),
		f.octets.Slice(f.octets.Width()-rest+first-1, first)))
	reth, atomic, seth, oeth := f.header(spec.RETH), f.header(spec.AtomicETH), f.header(spec.SETH), f.header(spec.OETH)
	steth, immdt := f.header(spec.STETH), f.header(spec.ImmDt)
	return Header{
		CE: f.rbth("ce"), SE: f.rbth("se"), Opcode: f.rbth("opcode"), DestinationQP: f.rbth("destination_qp"), SN: f.rbth("sn"),
		VA: reth("va"), RKey: reth("r_key"), Length: reth("length"), Data: atomic("swap_add_data"), Compare: atomic("compare_data"),
		RMSN: seth("rmsn"), Offset: oeth("message_offset"), SinkVA: steth("va"), LKey: steth("l_key"), Word: immdt("immediate_data"),
		SRQ: f.get(f.octets, spec.XRCETH, spec.RBTH.Octets(), "xrc_srq"),
	}
}
