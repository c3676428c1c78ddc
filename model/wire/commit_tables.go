package wire

import (
	"slices"

	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// The tables of the extension Commit, draft-talpey-rdma-commit-01. They are not among Tables, which the hardware and its
// documentation are made from.

// LongControlTable is the two control octets at the start of both DDP headers with the extension: the opcode has five
// bits (I-15). The rest of the headers is unchanged.
var LongControlTable = &Table{
	Name: "long_control", Title: "DDP and RDMAP Control Fields with a five-bit opcode", Section: "draft-talpey-rdma-commit-01 section 3.1", Octets: 2,
	Fields: []Field{
		{Name: "t", Offset: 0, Width: 1, Doc: "T: 1 tagged, 0 untagged"},
		{Name: "l", Offset: 1, Width: 1, Doc: "L: last segment of the message"},
		{Name: "ddp_reserved", Offset: 2, Width: 4, Reserved: true, Doc: "zero on transmit, ignored on receive"},
		{Name: "dv", Offset: 6, Width: 2, Doc: "DV: DDP version, 01b"},
		{Name: "rv", Offset: 8, Width: 2, Doc: "RV: RDMAP version, 01b"},
		{Name: "rdmap_reserved", Offset: 10, Width: 1, Reserved: true, Doc: "zero on transmit, ignored on receive"},
		{Name: "opcode", Offset: 11, Width: 5, Doc: "RDMAP opcode"},
	},
}

var ddpLongOpcode = LongControlTable.atBits("opcode")

// FlushRequestTable is the RDMAP header of an RDMA Flush Request.
var FlushRequestTable = &Table{
	Name: "flush_request", Title: "RDMA Flush Request", Section: "draft-talpey-rdma-commit-01 section 3.1.1.1", Octets: 20,
	Fields: append(sinkFields(),
		Field{Name: "disposition_flags", Offset: 128, Width: 32, Doc: "1 Flush to Persistence, 2 Flush to Global Visibility; others zero on transmit, an error on receive (I-20)"},
	),
}

// VerifyRequestTable is the RDMAP header of an RDMA Verify Request. The expected hash follows, if there is one (I-17).
var VerifyRequestTable = &Table{
	Name: "verify_request", Title: "RDMA Verify Request", Section: "draft-talpey-rdma-commit-01 section 3.1.2.1", Octets: 16,
	Fields: sinkFields(),
}

// AtomicWriteRequestTable is the RDMAP header of an Atomic Write Request.
var AtomicWriteRequestTable = &Table{
	Name: "atomic_write_request", Title: "Atomic Write Request", Section: "draft-talpey-rdma-commit-01 section 3.1.3.1", Octets: 24,
	Fields: append(sinkFields(),
		Field{Name: "data", Offset: 128, Width: 64, Doc: "the 8 octets to write"},
	),
}

// sinkFields name the responder's octets in all three requests.
func sinkFields() []Field {
	return []Field{
		{Name: "data_sink_stag", Offset: 0, Width: 32, Doc: "STag of the responder's buffer"},
		{Name: "data_sink_length", Offset: 32, Width: 32, Doc: "octets; 8 in an Atomic Write"},
		{Name: "data_sink_to", Offset: 64, Width: 64, Doc: "TO of the first octet"},
	}
}

var commitTables = []*Table{LongControlTable, FlushRequestTable, VerifyRequestTable, AtomicWriteRequestTable}

// CommitTables lists the tables of the extension Commit.
func CommitTables() []*Table { return commitTables }

// DDPTables returns the two forms of the DDP header; with the extension, their control fields are those of LongControlTable.
func DDPTables(x spec.Extensions) (tagged, untagged *Table) {
	if x&spec.Commit != 0 {
		return longTagged, longUntagged
	}
	return DDPTaggedTable, DDPUntaggedTable
}

var longTagged, longUntagged = DDPTaggedTable.withLongOpcode(), DDPUntaggedTable.withLongOpcode()

// withLongOpcode replaces the control fields of a header.
func (t *Table) withLongOpcode() *Table {
	long := *t
	long.Fields = slices.Clone(LongControlTable.Fields)
	for _, f := range t.Fields {
		if f.Offset >= 8*LongControlTable.Octets {
			long.Fields = append(long.Fields, f)
		}
	}
	return &long
}
