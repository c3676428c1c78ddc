package wire

import "github.com/rnicgen/rnicgen/model/rdmap/spec"

// Opcode is the RDMAP opcode; its row is in the table of operations.
type Opcode = spec.Opcode

const (
	OpWrite          = spec.OpWrite
	OpReadRequest    = spec.OpReadRequest
	OpReadResponse   = spec.OpReadResponse
	OpSend           = spec.OpSend
	OpSendInv        = spec.OpSendInv
	OpSendSE         = spec.OpSendSE
	OpSendSEInv      = spec.OpSendSEInv
	OpTerminate      = spec.OpTerminate
	OpImmediate      = spec.OpImmediate
	OpImmediateSE    = spec.OpImmediateSE
	OpAtomicRequest  = spec.OpAtomicRequest
	OpAtomicResponse = spec.OpAtomicResponse

	OpFlushRequest        = spec.OpFlushRequest
	OpFlushResponse       = spec.OpFlushResponse
	OpVerifyRequest       = spec.OpVerifyRequest
	OpVerifyResponse      = spec.OpVerifyResponse
	OpAtomicWriteRequest  = spec.OpAtomicWriteRequest
	OpAtomicWriteResponse = spec.OpAtomicWriteResponse
)

// Untagged queues.
const (
	QueueSend           = spec.QueueSend
	QueueRequest        = spec.QueueRequest
	QueueTerminate      = spec.QueueTerminate
	QueueAtomicResponse = spec.QueueAtomicResponse
	QueueMax            = spec.QueueMax
)

// Protocol versions.
const (
	DDPVersion   = spec.DDPVersion
	RDMAPVersion = spec.RDMAPVersion
)

// MaxSegment is the maximum length of a segment in octets: MPA's ULPDU_Length has 16 bits.
const MaxSegment = 65535

// TerminateCode is what a Terminate reports, Layer the layer that found the error.
type (
	TerminateCode = spec.TerminateCode
	Layer         = spec.Layer
)

const (
	LayerRDMAP = spec.LayerRDMAP
	LayerDDP   = spec.LayerDDP
	LayerLLP   = spec.LayerLLP
)

// HeaderOf returns the table of the RDMAP header that follows an operation's DDP header; nil: none.
func HeaderOf(o *spec.Operation) *Table {
	for _, list := range [][]*Table{tables, commitTables} {
		for _, t := range list {
			if t.Name == o.Header {
				return t
			}
		}
	}
	return nil
}
