package wire

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The tables below were typed from the specifications by a reader who had not seen those of this package. What hardware and model share
// they can get wrong together; these rows are shared with nobody.

// secondMessages: RFC 7306 Figures 2 and 3, sections 5.2 and 6; RFC 5040 section 4. Lengths are octets behind the DDP header.
var secondMessages = []struct {
	opcode      Opcode
	name        string
	tagged      bool
	queue       int // -1: tagged
	least, most int // header
	payload     bool
	single      bool // one segment
}{
	{0x0, "RDMA Write", true, -1, 0, 0, true, false},
	{0x1, "RDMA Read Request", false, 1, 28, 28, false, true},
	{0x2, "RDMA Read Response", true, -1, 0, 0, true, false},
	{0x3, "Send", false, 0, 0, 0, true, false},
	{0x4, "Send with Invalidate", false, 0, 0, 0, true, false},
	{0x5, "Send with Solicited Event", false, 0, 0, 0, true, false},
	{0x6, "Send with Solicited Event and Invalidate", false, 0, 0, 0, true, false},
	{0x7, "Terminate", false, 2, 4, 52, false, true},
	{0x8, "Immediate Data", false, 0, 8, 8, false, true},
	{0x9, "Immediate Data with Solicited Event", false, 0, 8, 8, false, true},
	{0xA, "Atomic Request", false, 1, 52, 52, false, true},
	{0xB, "Atomic Response", false, 3, 12, 12, false, true},
}

func TestMessagesAsReadASecondTime(t *testing.T) {
	require.Len(t, Messages, len(secondMessages))
	for _, s := range secondMessages {
		m := &Messages[s.opcode]
		assert.Equal(t, s.opcode, m.Opcode)
		assert.Equal(t, s.name, m.Title)
		assert.Equal(t, s.tagged, m.Tagged, s.name)
		if !s.tagged {
			assert.Equal(t, uint32(s.queue), m.Queue, s.name)
		}
		assert.Equal(t, s.least, m.MinLength, s.name)
		assert.Equal(t, s.single, m.SingleSegment, s.name)
		if s.opcode == OpTerminate { // the only header of no fixed length; what is behind its control word leaves the parser as payload
			assert.Zero(t, m.FixedLength)
			continue
		}
		assert.Equal(t, s.most, m.FixedLength, s.name)
		assert.Equal(t, s.payload, m.CarriesPayload, s.name)
	}
}

// secondFields: RFC 7306 Figures 4 and 6, RFC 5040 section 4.4. Offsets and widths are octets.
var secondFields = map[*Table][]struct {
	name          string
	offset, width int
}{
	ReadRequestTable: {
		{"data_sink_stag", 0, 4}, {"data_sink_to", 4, 8}, {"read_message_size", 12, 4},
		{"data_source_stag", 16, 4}, {"data_source_to", 20, 8},
	},
	AtomicRequestTable: {
		{"request_identifier", 4, 4}, {"remote_stag", 8, 4}, {"remote_to", 12, 8}, {"add_or_swap_data", 20, 8},
		{"add_or_swap_mask", 28, 8}, {"compare_data", 36, 8}, {"compare_mask", 44, 8},
	},
	AtomicResponseTable: {{"original_request_identifier", 0, 4}, {"original_remote_data_value", 4, 8}},
}

func TestFieldsAsReadASecondTime(t *testing.T) {
	for table, list := range secondFields {
		for _, s := range list {
			found := false
			for _, f := range table.Fields {
				if found = f.Name == s.name; found {
					assert.Equal(t, [2]int{8 * s.offset, 8 * s.width}, [2]int{f.Offset, f.Width}, "%s, %s", table.Name, s.name)
					break
				}
			}
			assert.True(t, found, "%s has no %s", table.Name, s.name)
		}
	}
}

// secondCodes: RFC 7306 section 8, RFC 5040 section 4.8, RFC 5041 section 7; layer, error type, code. Those that no text fixes are left
// out: they are decisions of this project.
var secondCodes = []struct {
	rule   string
	kind   ErrorKind
	tagged bool
	code   TerminateCode
}{
	{"DDP version, tagged", ErrDDPVersion, true, TerminateCode{1, 1, 0x04}},
	{"DDP version, untagged", ErrDDPVersion, false, TerminateCode{1, 2, 0x06}},
	{"tagged STag invalid", ErrSTag, true, TerminateCode{1, 1, 0x00}},
	{"tagged STag not of the stream", ErrAssociation, true, TerminateCode{1, 1, 0x02}},
	{"tagged TO wraps", ErrTOWrap, true, TerminateCode{1, 1, 0x03}},
	{"tagged base or bounds", ErrBounds, true, TerminateCode{1, 1, 0x01}},
	{"queue number", ErrQueueNumber, false, TerminateCode{1, 2, 0x01}},
	{"no receive buffer", ErrNoBuffer, false, TerminateCode{1, 2, 0x02}},
	{"Atomic Response without a request", ErrNoRequest, false, TerminateCode{1, 2, 0x02}},
	{"MSN out of range", ErrMSN, false, TerminateCode{1, 2, 0x03}},
	{"MO of a message of one segment", ErrMessageOffset, false, TerminateCode{1, 2, 0x04}},
	{"MO of a Send", ErrSendOffset, false, TerminateCode{1, 2, 0x04}},
	{"message too long for its buffer", ErrMessageTooLong, false, TerminateCode{1, 2, 0x05}},
	{"RDMAP version", ErrRDMAPVersion, false, TerminateCode{0, 2, 0x05}},
	{"RDMAP version, tagged", ErrRDMAPVersion, true, TerminateCode{0, 2, 0x05}},
	{"undefined opcode", ErrOpcode, false, TerminateCode{0, 2, 0x06}},
	{"opcode with the wrong T", ErrTaggedFlag, false, TerminateCode{0, 2, 0x06}},
	{"opcode with the wrong T, tagged", ErrTaggedFlag, true, TerminateCode{0, 2, 0x06}},
	{"opcode on the wrong queue", ErrQueueMismatch, false, TerminateCode{0, 2, 0x06}},
	{"length of Immediate Data, Atomic Response", ErrLength, false, TerminateCode{0, 2, 0x07}},
	{"STag of a request invalid", ErrSTag, false, TerminateCode{0, 1, 0x00}},
	{"STag of a request not of the stream", ErrAssociation, false, TerminateCode{0, 1, 0x03}},
	{"access right of a request", ErrAccess, false, TerminateCode{0, 1, 0x02}},
	{"TO of a request wraps", ErrTOWrap, false, TerminateCode{0, 1, 0x04}},
	{"base or bounds of a request", ErrBounds, false, TerminateCode{0, 1, 0x01}},
	{"AOpCode", ErrAtomicOpcode, false, TerminateCode{0, 2, 0x06}},
	{"alignment of an atomic", ErrAlignment, false, TerminateCode{0, 2, 0x07}},
	{"identifier of an Atomic Response", ErrIdentifier, false, TerminateCode{0, 2, 0x07}},
}

func TestCodesAsReadASecondTime(t *testing.T) {
	for _, s := range secondCodes {
		is, has := s.kind.Terminate(s.tagged)
		assert.True(t, has, s.rule)
		assert.Equal(t, s.code, is, s.rule)
	}
}
