package process_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/internal/process"
)

// Child processes of a program end with it, even if both ignore signals.
func TestAllEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	dir := t.TempDir()
	script := `trap '' INT TERM; sh -c 'trap "" INT TERM; echo $$ >"$TMPDIR/child"; while :; do sleep 0.01; done' & wait`
	cmd := process.Command(ctx, dir, "sh", "-c", script)
	require.NoError(t, cmd.Start())
	child := filepath.Join(dir, "child")
	var pid []byte
	require.Eventually(t, func() bool { pid, _ = os.ReadFile(child); return len(pid) > 0 && pid[len(pid)-1] == '\n' }, 5*time.Second, time.Millisecond)
	cancel()
	assert.ErrorContains(t, cmd.Wait(), "killed")
	assert.Eventually(t, func() bool { return ended(strings.TrimSpace(string(pid))) }, 5*time.Second, time.Millisecond)
}

// ended reports whether a process is gone, or a zombie.
func ended(pid string) bool {
	text, err := os.ReadFile(filepath.Join("/proc", pid, "stat"))
	return err != nil || strings.Contains(string(text), ") Z ")
}

func TestToolThatMakesNothing(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "dut.so")
	const says = "g++ ended well and made no dut.so; see whether /bin/g++ is what it should be, and install it again if not"
	assert.EqualError(t, process.Made("/bin/g++", file), says)
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	assert.EqualError(t, process.Made("/bin/g++", file), says, "empty")
	require.NoError(t, os.WriteFile(file, []byte{1}, 0o644))
	assert.NoError(t, process.Made("/bin/g++", file))
}
