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
		"| 0x0 | RDMA Write | `rdma_write` | 1 |  | any |\n",
		"| 0xA | Atomic Request | `atomic_request` | 0 | 1 | exactly 52 octets: `atomic_request` |\n",
		"| 2 | `ddp_version` | DV is not 01b | T = 0: 1/2/0x06 (DDP, untagged buffer: invalid DDP version); T = 1: 1/1/0x04 (DDP, tagged buffer: invalid DDP version) |\n",
		"| 15 | `stream_terminated` | the stream had an error before | none |\n",
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
