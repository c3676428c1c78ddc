// Package process runs other programs, so that none outlives the work that it is part of.
package process

import (
	"context"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Command is exec.CommandContext for a program that works in dir, and has a process group of its own: an interrupt at the terminal
// reaches only this program, which decides what ends; and with the context ends all that the program has started. What the
// program keeps in temporary files goes into dir too, and so goes away with it.
func Command(ctx context.Context, dir, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	if dir != "" {
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second // for pipes that something else holds open
	return cmd
}
