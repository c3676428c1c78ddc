package rdmap

import (
	"strings"

	"github.com/rnicgen/rnicgen/gen/engine"
)

// Registers is the register map; csr and its documentation are generated from it.
var Registers = []engine.Register{
	{Name: "id", Offset: 0x000, Width: 32, Doc: "0x524E4943, \"RNIC\""},
	{Name: "version", Offset: 0x004, Width: 24, Doc: "version of the generator", Fields: []engine.RegisterField{
		{Name: "patch", Low: 0, Width: 8, Doc: "third number"},
		{Name: "minor", Low: 8, Width: 8, Doc: "second number"},
		{Name: "major", Low: 16, Width: 8, Doc: "first number"},
	}},
	{Name: "scratch", Offset: 0x008, Width: 32, Access: engine.ReadWrite, Doc: "for use by the host; no effect"},
	{Name: "status", Offset: 0x00C, Width: 3, Doc: "what is in progress", Fields: []engine.RegisterField{
		{Name: "stag_busy", Low: 0, Width: 1, Doc: "1: the last `stag_command` has not taken effect yet"},
		{Name: "stream_busy", Low: 1, Width: 1, Doc: "1: the last `stream_command` has not taken effect yet"},
		{Name: "ready", Low: 2, Width: 1, Doc: "1: all tables are initialized; 0 for some time after reset"},
	}},

	{Name: "bus_bytes", Offset: 0x010, Width: 8, Doc: "octets per beat of the segment streams and of memory"},
	{Name: "streams", Offset: 0x014, Width: 16, Doc: "number of RDMAP Streams"},
	{Name: "stags", Offset: 0x018, Width: 24, Doc: "rows of the STag table"},
	{Name: "ird", Offset: 0x01C, Width: 16, Doc: "IRD: RDMA Reads and Atomics of the peer that a stream holds"},
	{Name: "ord", Offset: 0x020, Width: 16, Doc: "ORD: RDMA Reads and Atomics that a stream can have outstanding"},
	{Name: "receive_depth", Offset: 0x024, Width: 16, Doc: "receive requests per stream"},
	{Name: "send_depth", Offset: 0x028, Width: 16, Doc: "incomplete work requests per stream that never hold up other streams"},
	{Name: "max_payload", Offset: 0x02C, Width: 16, Doc: "largest payload of a segment sent, in octets"},
	{Name: "features", Offset: 0x030, Width: 3, Doc: "options of the hardware", Fields: []engine.RegisterField{
		{Name: "draft00", Low: 0, Width: 1, Doc: "1: AOpCode 0001b is Swap"},
		{Name: "atomic_scope", Low: 1, Width: 2, Doc: "1: Atomics are atomic with the Atomics of all streams of this RNIC, not with other accesses to memory"},
	}},

	{Name: "stag_index", Offset: 0x040, Width: 24, Access: engine.ReadWrite, Doc: "row that `stag_command` changes: upper 24 bits of the STag"},
	{Name: "stag_access", Offset: 0x044, Width: 14, Access: engine.ReadWrite, Doc: "key of the STag, and access rights of the region", Fields: []engine.RegisterField{
		{Name: "key", Low: 0, Width: 8, Doc: "low octet of the STag"},
		{Name: "local_read", Low: 8, Width: 1, Doc: "source of Sends and Writes of this node"},
		{Name: "local_write", Low: 9, Width: 1, Doc: "buffer for Sends to this node and for results of its RDMA Reads and Atomics"},
		{Name: "remote_read", Low: 10, Width: 1, Doc: "source of RDMA Reads of the peer"},
		{Name: "remote_write", Low: 11, Width: 1, Doc: "sink of RDMA Writes of the peer"},
		{Name: "remote_atomic", Low: 12, Width: 1, Doc: "target of Atomics of the peer"},
		{Name: "invalidate", Low: 13, Width: 1, Doc: "the peer may invalidate it by Send with Invalidate"},
	}},
	{Name: "stag_owner", Offset: 0x048, Width: engine.DomainBits + 1, Access: engine.ReadWrite, Doc: "owner of the region", Fields: []engine.RegisterField{
		{Name: "owner", Low: 0, Width: engine.DomainBits, Doc: "number of the stream or protection domain that the STag is associated with"},
		{Name: "by_domain", Low: engine.DomainBits, Width: 1, Doc: "1: owner is a protection domain, 0: owner is a stream"},
	}},
	{Name: "stag_base_low", Offset: 0x050, Width: 32, Access: engine.ReadWrite, Doc: "tagged offset of the region's first octet, bits 31..0"},
	{Name: "stag_base_high", Offset: 0x054, Width: 32, Access: engine.ReadWrite, Doc: "the same, bits 63..32"},
	{Name: "stag_length_low", Offset: 0x058, Width: 32, Access: engine.ReadWrite, Doc: "octets of the region, bits 31..0; base + length is at most 2^64"},
	{Name: "stag_length_high", Offset: 0x05C, Width: 32, Access: engine.ReadWrite, Doc: "the same, bits 63..32"},
	{Name: "stag_address_low", Offset: 0x060, Width: 32, Access: engine.ReadWrite, Doc: "address of the region's first octet in memory, bits 31..0"},
	{Name: "stag_address_high", Offset: 0x064, Width: 32, Access: engine.ReadWrite, Doc: "the same, bits 63..32"},
	{Name: "stag_command", Offset: 0x068, Width: 32, Access: engine.WriteOnly, Doc: "1 stores the region in the row, 2 makes the row invalid, 0 does nothing"},

	{Name: "stream_number", Offset: 0x070, Width: 16, Access: engine.ReadWrite, Doc: "stream of `stream_command`"},
	{Name: "stream_domain", Offset: 0x074, Width: engine.DomainBits, Access: engine.ReadWrite, Doc: "its protection domain"},
	{Name: "stream_command", Offset: 0x078, Width: 32, Access: engine.WriteOnly, Doc: "1 opens the stream, 2 closes it, 3 gives it its weight, 0 does nothing"},
	{Name: "stream_weight", Offset: 0x07C, Width: engine.WeightBits, Access: engine.ReadWrite, Doc: "its weight: octets that it sends relative to those of other streams with something to send; 0 counts as 1"},

	{Name: "segments_received", Offset: 0x080, Width: 32, Doc: "segments that have arrived"},
	{Name: "segments_discarded", Offset: 0x084, Width: 32, Doc: "of these: on streams that are not open"},
	{Name: "segments_in_error", Offset: 0x088, Width: 32, Doc: "of these: with an error that ended the stream"},
	{Name: "messages_sent", Offset: 0x08C, Width: 32, Doc: "messages sent"},
	{Name: "segments_sent", Offset: 0x090, Width: 32, Doc: "segments sent"},
	{Name: "segments_dropped", Offset: 0x094, Width: 32, Doc: "segments not sent, because memory did not deliver their payload or their stream had failed or ended"},
	{Name: "completions", Offset: 0x098, Width: 32, Doc: "completions given to the host"},
	{Name: "terminates_sent", Offset: 0x09C, Width: 32, Doc: "Terminates sent"},
	{Name: "terminates_received", Offset: 0x0A0, Width: 32, Doc: "Terminates received"},
	{Name: "memory_errors", Offset: 0x0A4, Width: 32, Doc: "errors reported by memory"},
	{Name: "receives_refused", Offset: 0x0A8, Width: 32, Doc: "receive requests refused because the ring was full"},
	{Name: "invalidations", Offset: 0x0AC, Width: 32, Doc: "STags that the peer invalidated"},

	{Name: "terminates_lost", Offset: 0x0C0, Width: 32, Doc: "Terminates lost unread because the log was full"},
	{Name: "terminate_log", Offset: 0x0C4, Width: 32, Access: engine.ReadRemoves, Doc: "the oldest of the last 16 Terminates; 0 when there is none", Fields: []engine.RegisterField{
		{Name: "code", Low: 0, Width: 8, Doc: "error code, RFC 5040 section 4.8"},
		{Name: "etype", Low: 8, Width: 4, Doc: "error type"},
		{Name: "layer", Low: 12, Width: 4, Doc: "layer"},
		{Name: "stream", Low: 16, Width: 14, Doc: "number of the RDMAP Stream that it ended"},
		{Name: "received", Low: 30, Width: 1, Doc: "1: received, 0: sent"},
		{Name: "valid", Low: 31, Width: 1, Doc: "1: the rest is a Terminate"},
	}},
}

// RegisterPage describes the registers in Markdown.
func RegisterPage() string {
	var b strings.Builder
	b.WriteString(registersIntroduction)
	engine.WriteRegisters(&b, Registers)
	b.WriteString("\n## With the extension `commit`\n\n`features` has a bit more: bit 3 is 1.\n")
	engine.WriteRegisters(&b, commitRegisters)
	return b.String()
}

const registersIntroduction = `# Registers

Generated from the register map. The port is a 32-bit AXI4-Lite slave with 12-bit addresses; the two low address bits are
ignored. Strobes select the octets of a register that are written. A read of an address without a readable register, and a
write without a writable one, get SLVERR and have no other effect.

To change the STag table, write the registers of the row and then ` + "`stag_command`" + `; to open or close a stream, or to give it a weight, write its
registers and then ` + "`stream_command`" + `. These registers describe the command until it has taken effect: a write to any of
them waits while ` + "`status`" + ` says busy, which may be long during the set-up after reset. A command that is not listed, or
for a row or a stream that does not exist, gets SLVERR and does nothing.

Counters have 32 bits and wrap to 0 after 2^32 - 1. All registers that the host can write are 0 after reset.

## When memory and streams may be reused

Segments are checked when they arrive; afterwards their payload may wait for memory, at most 511 placements in all, or
in each of near and far memory. So a region may still be written after its STag has become invalid, until:

| the host has seen | from then on |
|---|---|
| the completion of a Send with Invalidate | no payload is written through this STag, from any stream |
| the event of a stream's end, Terminate sent or received | no payload of this stream is written |
| ` + "`status`" + ` not busy after ` + "`stag_command`" + ` 2 or ` + "`stream_command`" + ` 2 | no segment that arrives is accepted; payload accepted before may still be written |
| after that, the completion of a receive on any stream, for a Send with payload that arrived later | nor is that payload; with ` + "`far_memory_bit`" + `: in the same memory, near or far |

A Read or Atomic of the peer that was accepted but has not started is not executed once its STag is invalid. One that has started
continues: memory that such requests may name is free when the last response has left. The same holds for a message of this node: it
continues if the STag of its local buffer becomes invalid after its beginning, until its work request completes.

A stream may be opened again when its Terminate has left on ` + "`m_axis_tx`" + `, or the responses to all requests before a received
Terminate, and when all its work requests have completed. If it is opened earlier, it may send segments of its previous life. The same
holds for a closed stream: closing informs neither the peer nor the host, and completes nothing.
`
