package wire

// DDPTaggedTable is the header of a segment for a tagged buffer. Its second octet is the RDMAP Control Field of RFC
// 5040, which DDP carries for its ULP.
var DDPTaggedTable = &Table{
	Name: "ddp_tagged", Title: "DDP Tagged Buffer header", Section: "RFC 5041 section 4.2, RFC 5040 section 4.1", Octets: 14,
	Fields: append(controlFields(),
		Field{Name: "stag", Offset: 16, Width: 32, Doc: "STag: the tagged buffer; 24-bit index, then 8-bit key"},
		Field{Name: "to", Offset: 48, Width: 64, Doc: "TO: tagged offset in octets of the payload's first octet"},
	),
}

// DDPUntaggedTable is the header of a segment for an untagged buffer.
var DDPUntaggedTable = &Table{
	Name: "ddp_untagged", Title: "DDP Untagged Buffer header", Section: "RFC 5041 section 4.3, RFC 5040 section 4.1", Octets: 18,
	Fields: append(controlFields(),
		Field{Name: "invalidate_stag", Offset: 16, Width: 32, Doc: "Invalidate STag of Send with Invalidate; other messages: zero on transmit, ignored on receive"},
		Field{Name: "queue_number", Offset: 48, Width: 32, Doc: "QN: 0 Sends, 1 requests, 2 Terminate, 3 untagged responses"},
		Field{Name: "msn", Offset: 80, Width: 32, Doc: "MSN: message number of its queue, from 1, modulo 2^32"},
		Field{Name: "mo", Offset: 112, Width: 32, Doc: "MO: offset in octets of the payload in its message"},
	),
}

// controlFields are the DDP and RDMAP Control Fields, RFC 7306 Figure 1, at the start of both DDP headers. The figure
// has no padding between them and the Invalidate STag (I-02).
func controlFields() []Field {
	return []Field{
		{Name: "t", Offset: 0, Width: 1, Doc: "T: 1 tagged, 0 untagged"},
		{Name: "l", Offset: 1, Width: 1, Doc: "L: last segment of the message"},
		{Name: "ddp_reserved", Offset: 2, Width: 4, Reserved: true, Doc: "zero on transmit, ignored on receive"},
		{Name: "dv", Offset: 6, Width: 2, Doc: "DV: DDP version, 01b"},
		{Name: "rv", Offset: 8, Width: 2, Doc: "RV: RDMAP version, 01b"},
		{Name: "rdmap_reserved", Offset: 10, Width: 2, Reserved: true, Doc: "zero on transmit, ignored on receive"},
		{Name: "opcode", Offset: 12, Width: 4, Doc: "RDMAP opcode"},
	}
}

// ReadRequestTable is the RDMAP header of an RDMA Read Request.
var ReadRequestTable = &Table{
	Name: "read_request", Title: "RDMA Read Request header", Section: "RFC 5040 section 4.4", Octets: 28,
	Fields: []Field{
		{Name: "data_sink_stag", Offset: 0, Width: 32, Doc: "STag of the requester's buffer for the data"},
		{Name: "data_sink_to", Offset: 32, Width: 64, Doc: "TO in that buffer"},
		{Name: "read_message_size", Offset: 96, Width: 32, Doc: "octets to read"},
		{Name: "data_source_stag", Offset: 128, Width: 32, Doc: "STag of the responder's buffer"},
		{Name: "data_source_to", Offset: 160, Width: 64, Doc: "TO in that buffer"},
	},
}

// AtomicRequestTable is the RDMAP header of an Atomic Operation Request.
var AtomicRequestTable = &Table{
	Name: "atomic_request", Title: "Atomic Operation Request header", Section: "RFC 7306 section 5.2.1, Figure 4", Octets: 52,
	Fields: []Field{
		{Name: "reserved", Offset: 0, Width: 28, Reserved: true, Doc: "zero on transmit, ignored on receive"},
		{Name: "aopcode", Offset: 28, Width: 4, Doc: "AOpCode: 0 FetchAdd, 1 reserved (Swap with draft-00), 2 CmpSwap"},
		{Name: "request_identifier", Offset: 32, Width: 32, Doc: "chosen by the requester, returned in the response"},
		{Name: "remote_stag", Offset: 64, Width: 32, Doc: "STag of the responder's buffer"},
		{Name: "remote_to", Offset: 96, Width: 64, Doc: "TO of the 8 octets; its address is 64-bit aligned"},
		{Name: "add_or_swap_data", Offset: 160, Width: 64, Doc: "Add Data of FetchAdd, Swap Data of CmpSwap and Swap"},
		{Name: "add_or_swap_mask", Offset: 224, Width: 64, Doc: "Add Mask (most significant bit of each field) or Swap Mask; all ones for Swap"},
		{Name: "compare_data", Offset: 288, Width: 64, Doc: "Compare Data of CmpSwap; others: zero on transmit, ignored on receive"},
		{Name: "compare_mask", Offset: 352, Width: 64, Doc: "Compare Mask of CmpSwap; others: all ones on transmit, ignored on receive"},
	},
}

// AtomicResponseTable is the RDMAP header of an Atomic Operation Response: 12 octets as in the figure, not 32 as in the
// text of section 4 (I-01).
var AtomicResponseTable = &Table{
	Name: "atomic_response", Title: "Atomic Operation Response header", Section: "RFC 7306 section 5.2.2, Figure 6", Octets: 12,
	Fields: []Field{
		{Name: "original_request_identifier", Offset: 0, Width: 32, Doc: "Request Identifier of the request"},
		{Name: "original_remote_data_value", Offset: 32, Width: 64, Doc: "the word before the operation"},
	},
}

// ImmediateTable is the RDMAP header of Immediate Data and Immediate Data with Solicited Event.
var ImmediateTable = &Table{
	Name: "immediate", Title: "Immediate Data header", Section: "RFC 7306 section 6.2, Figure 7", Octets: 8,
	Fields: []Field{
		{Name: "immediate_data", Offset: 0, Width: 64, Doc: "8 octets for the ULP of the data sink"},
	},
}

// TerminateTable is the control word at the start of a Terminate header. The parts that its HdrCt bits announce follow
// without gaps in this order: for D, TerminatedLengthTable and the terminated DDP header (DDPTaggedTable or
// DDPUntaggedTable, according to its T bit); for R, ReadRequestTable.
var TerminateTable = &Table{
	Name: "terminate", Title: "Terminate header, control word", Section: "RFC 5040 section 4.8", Octets: 4,
	Fields: []Field{
		{Name: "layer", Offset: 0, Width: 4, Doc: "layer that found the error: 0 RDMAP, 1 DDP, 2 LLP"},
		{Name: "etype", Offset: 4, Width: 4, Doc: "error type, by layer"},
		{Name: "error_code", Offset: 8, Width: 8, Doc: "error code, by layer and error type"},
		{Name: "hdrct_m", Offset: 16, Width: 1, Doc: "HdrCt M: the DDP Segment Length is valid (I-31)"},
		{Name: "hdrct_d", Offset: 17, Width: 1, Doc: "HdrCt D: the DDP Segment Length and the terminated DDP header follow"},
		{Name: "hdrct_r", Offset: 18, Width: 1, Doc: "HdrCt R: the terminated RDMAP header, that of a Read Request, follows"},
		{Name: "reserved", Offset: 19, Width: 13, Reserved: true, Doc: "zero on transmit, ignored on receive"},
	},
}

// TerminatedLengthTable is the first optional part of a Terminate header.
var TerminatedLengthTable = &Table{
	Name: "terminated_length", Title: "Terminate header, DDP Segment Length", Section: "RFC 5040 section 4.8", Octets: 2,
	Fields: []Field{
		{Name: "ddp_segment_length", Offset: 0, Width: 16, Doc: "octets of the terminated segment, including its header"},
	},
}

// tables lists the tables of RDMAP and DDP in the order of the documentation. Other files add theirs in init.
var tables = []*Table{
	DDPTaggedTable, DDPUntaggedTable, ReadRequestTable, AtomicRequestTable, AtomicResponseTable,
	ImmediateTable, TerminateTable, TerminatedLengthTable,
}

// Tables lists the RDMAP and DDP tables in the order of the documentation.
func Tables() []*Table { return tables }
