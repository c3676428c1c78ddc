package wire

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestMarkdown(t *testing.T) {
	var text strings.Builder
	require.NoError(t, Markdown(&text))
	for _, line := range []string{
		"### Atomic Operation Request header\n",
		"| `l` | 0 | 1 | 1 | L: last segment of the message |\n",
		"| `aopcode` | 3 | 28..31 | 4 |",
		"| 0x0 | RDMA Write | `rdma_write` | 1 |  | any | RFC 5040 4.3, RFC 5040 5.1 |\n",
		"| 0xA | Atomic Request | `atomic_request` | 0 | 1 | exactly 52 octets: `atomic_request` | RFC 7306 5.1, RFC 7306 5.2.1 |\n",
		"| 3 | `untagged_ddp_version` | RFC 5041 7.1 | T = 0 and DV is not 01b | 1/2/0x06 (DDP, untagged buffer: invalid DDP version) |\n",
		"| 39 | `stream_not_open` | RFC 5040 7.1 | the stream is not open: the segment is discarded (I-32) | none |\n",
		"| 2 LLP | 0 MPA | 0x02 | CRC error |\n",
	} {
		assert.Contains(t, text.String(), line)
	}
	for _, table := range append(Tables(), MPATables()...) {
		for _, f := range table.Fields {
			assert.Contains(t, text.String(), "`"+f.Name+"`")
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestMarkdownReportsWriteErrors(t *testing.T) {
	assert.EqualError(t, Markdown(full{}), "disk full")
}
