package vectors

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReadmeOnAnalyser checks what README.txt states about tshark: the length of the header shown in a Terminate, and
// the treatment of reserved bits next to an AOpCode.
func TestReadmeOnAnalyser(t *testing.T) {
	t.Parallel()
	tshark, err := exec.LookPath("tshark")
	require.NoError(t, err, "tshark is not installed; install it with: apt-get install tshark")
	shows := func(key, filter string, fields ...string) []string {
		s := newSuite(t, small)
		only(t, s, key)
		args := []string{"-n", "-r", filepath.Join(directory(t, s), captureFile), "-o", "tcp.try_heuristic_first:TRUE", "--disable-protocol", "rpcordma", "-Y", filter, "-T", "fields"}
		for _, f := range fields {
			args = append(args, "-e", f)
		}
		out, err := exec.Command(tshark, args...).Output()
		require.NoError(t, err)
		return strings.Split(strings.Trim(string(out), "\n"), "\t")
	}
	const terminate = "iwarp_rdma.opcode == 7"
	header := func(key string) int { return len(shows(key, terminate, "iwarp_rdma.term_ddp_h")[0]) / 2 }
	assert.Equal(t, 14, header("error/atomic_request/access"), "of 18")
	assert.Equal(t, 18, header("error/atomic_request/alignment/4"))
	assert.Equal(t, 14, header("error/rdma_write/stag/key"))
	tagged := shows("segment/rdma_write/rv0", terminate, "iwarp_rdma.term_ddp_h", "_ws.malformed")
	assert.Empty(t, tagged[0], "of 14")
	assert.Contains(t, tagged[1], "Malformed Packet")
	whole := shows("fetch_add/none/carry", "iwarp_rdma.opcode == 10", "iwarp_rdma.atomic.add_data", "iwarp_rdma.atomic.compare_data")
	assert.Equal(t, []string{"1", "0"}, whole)
	cut := shows("aopcode/reserved_bits", "iwarp_rdma.opcode == 10", "iwarp_rdma.atomic.add_data", "iwarp_rdma.atomic.compare_data")
	assert.Equal(t, []string{"", "1"}, cut)
}
