package wire

// MPAStartupTable is the fixed part of the MPA Request Frame and the MPA Reply Frame, which open the two
// directions of a connection; pd_length octets of private data follow. The 16-octet key is two fields here,
// since a field has at most 64 bits.
var MPAStartupTable = &Table{
	Name: "mpa_startup", Title: "MPA Request and Reply Frame", Section: "RFC 5044 section 7.1.1, RFC 6581 section 6", Octets: 20,
	Fields: []Field{
		{Name: "key_first", Offset: 0, Width: 64, Doc: `first half of the key: "MPA ID R"`},
		{Name: "key_last", Offset: 64, Width: 64, Doc: `last half of the key: "eq Frame" in a request, "ep Frame" in a reply`},
		{Name: "m", Offset: 128, Width: 1, Doc: "M: the sender of this frame requires Markers in the FPDUs that it receives"},
		{Name: "c", Offset: 129, Width: 1, Doc: "C: CRC32c is used in both directions if either frame has it set"},
		{Name: "r", Offset: 130, Width: 1, Doc: "R: the connection is rejected; replies only"},
		{Name: "s", Offset: 131, Width: 1, Doc: "S: the private data start with enhanced connection data; revision 2 only"},
		{Name: "reserved", Offset: 132, Width: 4, Reserved: true, Doc: "zero on transmit, ignored on receive"},
		{Name: "rev", Offset: 136, Width: 8, Doc: "revision of MPA: 1, or 2 with the enhanced connection set-up"},
		{Name: "pd_length", Offset: 144, Width: 16, Doc: "octets of private data, 0 to 512, including the enhanced data"},
	},
}

// MPAEnhancedTable is the enhanced connection data, the first 4 octets of the private data when S is set.
var MPAEnhancedTable = &Table{
	Name: "mpa_enhanced", Title: "Enhanced RDMA connection establishment data", Section: "RFC 6581 section 9", Octets: 4,
	Fields: []Field{
		{Name: "peer_to_peer", Offset: 0, Width: 1, Doc: "A: peer-to-peer model: the initiator sends the RTR indication first"},
		{Name: "rtr_send", Offset: 1, Width: 1, Doc: "B: a zero-length FPDU may be the RTR indication"},
		{Name: "ird", Offset: 2, Width: 14, Doc: "IRD: inbound read requests that the sender accepts at a time"},
		{Name: "rtr_write", Offset: 16, Width: 1, Doc: "C: a zero-length RDMA Write may be the RTR indication"},
		{Name: "rtr_read", Offset: 17, Width: 1, Doc: "D: a zero-length RDMA Read may be the RTR indication"},
		{Name: "ord", Offset: 18, Width: 14, Doc: "ORD: read requests that the sender wants outstanding"},
	},
}

// MPALengthTable opens each FPDU; ULPDU, pad and CRC follow.
var MPALengthTable = &Table{
	Name: "mpa_length", Title: "FPDU, ULPDU_Length", Section: "RFC 5044 section 4.1", Octets: 2,
	Fields: []Field{
		{Name: "ulpdu_length", Offset: 0, Width: 16, Doc: "octets of the ULPDU; neither pad, CRC, Markers nor this field"},
	},
}

// MPAMarkerTable is one Marker.
var MPAMarkerTable = &Table{
	Name: "mpa_marker", Title: "Marker", Section: "RFC 5044 section 4.2", Octets: 4,
	Fields: []Field{
		{Name: "reserved", Offset: 0, Width: 16, Reserved: true, Doc: "zero on transmit, ignored on receive"},
		{Name: "fpduptr", Offset: 16, Width: 16, Doc: "FPDUPTR: octets back from the Marker to its FPDU's ULPDU_Length; 0: the FPDU starts after the Marker"},
	},
}

// MPATables lists the tables of MPA in the order of the documentation.
func MPATables() []*Table {
	return []*Table{MPAStartupTable, MPAEnhancedTable, MPALengthTable, MPAMarkerTable}
}
