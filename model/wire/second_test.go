package wire

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The table below was transcribed from the specifications by a reader who had not seen that of this package. An error
// in the shared table would affect hardware and model alike; these rows are used only here.

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
