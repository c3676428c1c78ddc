// Package process runs other programs, so that none outlives the work it belongs to.
package process

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Command is exec.CommandContext for a program that runs in dir and in its own process group: an interrupt at the terminal reaches
// only the Go program, which decides what ends; and when the context ends, everything that the program has started ends, too.
// Temporary files of the program are also put into dir, and so are removed with it.
func Command(ctx context.Context, dir, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	if dir != "" {
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second // for pipes held open by other processes
	return cmd
}
