package roce

import "github.com/rnicgen/rnicgen/model/wire"

// Header layouts of the InfiniBand Architecture Specification, volume 1, chapter 9.

// BTHTable is the Base Transport Header, which opens every packet.
var BTHTable = &wire.Table{
	Name: "bth", Title: "Base Transport Header", Section: "IBTA volume 1 section 9.2", Octets: 12,
	Fields: []wire.Field{
		{Name: "opcode", Offset: 0, Width: 8, Doc: "transport service and operation, and with them the headers that follow"},
		{Name: "se", Offset: 8, Width: 1, Doc: "solicited event"},
		{Name: "m", Offset: 9, Width: 1, Doc: "path migration state"},
		{Name: "pad_count", Offset: 10, Width: 2, Doc: "pad octets between payload and ICRC"},
		{Name: "tver", Offset: 12, Width: 4, Doc: "transport header version, 0"},
		{Name: "pkey", Offset: 16, Width: 16, Doc: "partition key"},
		{Name: "fecn", Offset: 32, Width: 1, Doc: "forward congestion notification"},
		{Name: "becn", Offset: 33, Width: 1, Doc: "backward congestion notification"},
		{Name: "reserved6", Offset: 34, Width: 6, Reserved: true, Doc: "zero on transmit, ignored on receive"},
		{Name: "dest_qp", Offset: 40, Width: 24, Doc: "queue pair of the receiver"},
		{Name: "ack_req", Offset: 64, Width: 1, Doc: "the sender wants an acknowledgement"},
		{Name: "reserved7", Offset: 65, Width: 7, Reserved: true, Doc: "zero on transmit, ignored on receive"},
		{Name: "psn", Offset: 72, Width: 24, Doc: "packet sequence number; of the request in a response"},
	},
}

// RETHTable is the RDMA Extended Transport Header.
var RETHTable = &wire.Table{
	Name: "reth", Title: "RDMA Extended Transport Header", Section: "IBTA volume 1 section 9.3.3", Octets: 16,
	Fields: []wire.Field{
		{Name: "va", Offset: 0, Width: 64, Doc: "virtual address at the responder"},
		{Name: "rkey", Offset: 64, Width: 32, Doc: "R_Key"},
		{Name: "dma_length", Offset: 96, Width: 32, Doc: "octets of the whole operation"},
	},
}

// AtomicETHTable is the Atomic Extended Transport Header of a FetchAdd or CmpSwap request.
var AtomicETHTable = &wire.Table{
	Name: "atomic_eth", Title: "Atomic Extended Transport Header", Section: "IBTA volume 1 section 9.3.4", Octets: 28,
	Fields: []wire.Field{
		{Name: "va", Offset: 0, Width: 64, Doc: "virtual address of the 8 octets, 64-bit aligned"},
		{Name: "rkey", Offset: 64, Width: 32, Doc: "R_Key"},
		{Name: "swap_or_add", Offset: 96, Width: 64, Doc: "Add Data of FetchAdd, Swap Data of CmpSwap"},
		{Name: "compare", Offset: 160, Width: 64, Doc: "Compare Data of CmpSwap"},
	},
}

// AETHTable is the ACK Extended Transport Header.
var AETHTable = &wire.Table{
	Name: "aeth", Title: "ACK Extended Transport Header", Section: "IBTA volume 1 section 9.3.5", Octets: 4,
	Fields: []wire.Field{
		{Name: "reserved", Offset: 0, Width: 1, Reserved: true, Doc: "zero on transmit, ignored on receive"},
		{Name: "kind", Offset: 1, Width: 2, Doc: "0 ACK, 1 RNR NAK, 3 NAK"},
		{Name: "value", Offset: 3, Width: 5, Doc: "credits of an ACK, timer of an RNR NAK, code of a NAK"},
		{Name: "msn", Offset: 8, Width: 24, Doc: "message sequence number of the last completed request"},
	},
}

// AtomicAckETHTable is the Atomic ACK Extended Transport Header of the response to an atomic request.
var AtomicAckETHTable = &wire.Table{
	Name: "atomic_ack_eth", Title: "Atomic ACK Extended Transport Header", Section: "IBTA volume 1 section 9.5.3", Octets: 8,
	Fields: []wire.Field{
		{Name: "original_remote_data", Offset: 0, Width: 64, Doc: "the 8 octets before the operation"},
	},
}

// ImmDtTable is the Immediate Data Extended Transport Header.
var ImmDtTable = &wire.Table{
	Name: "immdt", Title: "Immediate Extended Transport Header", Section: "IBTA volume 1 section 9.3.6", Octets: 4,
	Fields: []wire.Field{
		{Name: "immediate_data", Offset: 0, Width: 32, Doc: "for the receiver's completion"},
	},
}

// IETHTable is the Invalidate Extended Transport Header.
var IETHTable = &wire.Table{
	Name: "ieth", Title: "Invalidate Extended Transport Header", Section: "IBTA volume 1 section 9.3.7", Octets: 4,
	Fields: []wire.Field{
		{Name: "rkey", Offset: 0, Width: 32, Doc: "R_Key to invalidate"},
	},
}

// DETHTable is the Datagram Extended Transport Header.
var DETHTable = &wire.Table{
	Name: "deth", Title: "Datagram Extended Transport Header", Section: "IBTA volume 1 section 9.3.2", Octets: 8,
	Fields: []wire.Field{
		{Name: "qkey", Offset: 0, Width: 32, Doc: "Q_Key"},
		{Name: "reserved", Offset: 32, Width: 8, Reserved: true, Doc: "zero on transmit, ignored on receive"},
		{Name: "source_qp", Offset: 40, Width: 24, Doc: "queue pair of the sender"},
	},
}

// FETHTable is the Flush Extended Transport Header; an RETH follows it.
var FETHTable = &wire.Table{
	Name: "feth", Title: "Flush Extended Transport Header", Section: "IBTA volume 1, memory placement extensions", Octets: 4,
	Fields: []wire.Field{
		{Name: "reserved", Offset: 0, Width: 26, Reserved: true, Doc: "zero on transmit, ignored on receive"},
		{Name: "selectivity", Offset: 26, Width: 2, Doc: "0 the range of the RETH, 1 the whole memory region"},
		{Name: "placement", Offset: 28, Width: 4, Doc: "bit 0 global visibility, bit 1 persistence"},
	},
}

// Tables lists all tables of the package.
func Tables() []*wire.Table {
	return []*wire.Table{
		BTHTable, DETHTable, RETHTable, AtomicETHTable, AETHTable, AtomicAckETHTable, ImmDtTable, IETHTable, FETHTable,
	}
}
