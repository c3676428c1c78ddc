package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// interruption is a signal that requests the end of the program.
type interruption struct{ signal syscall.Signal }

func (i *interruption) Error() string {
	return fmt.Sprintf("interrupted by signal %d (%v)", i.signal, i.signal)
}

// Is makes an interruption match context.Canceled.
func (i *interruption) Is(target error) bool { return target == context.Canceled }

// exitInterrupted returns the shell's exit code for a command ended by a signal: 130 for SIGINT, 143 for SIGTERM.
func exitInterrupted(err error) int {
	var i *interruption
	if errors.As(err, &i) {
		return 128 + int(i.signal)
	}
	return 128 + int(syscall.SIGINT)
}

// echo is the time within which one signal may arrive twice: timeout(1) signals both the program and its process group.
const echo = 300 * time.Millisecond

// untilSignal returns a context that SIGINT or SIGTERM cancels. A second signal exits the program immediately.
func untilSignal(errs io.Writer) context.Context {
	ctx, end := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		first := (<-signals).(syscall.Signal)
		started := time.Now()
		end(&interruption{first})
		fmt.Fprintf(errs, "rnicgen: %v: stopping; a second signal exits immediately\n", first)
		for again := range signals {
			if time.Since(started) > echo {
				os.Exit(128 + int(again.(syscall.Signal)))
			}
		}
	}()
	return ctx
}

// interrupted reports whether a command that returned err stopped early because of a signal.
func (a *app) interrupted(err error) bool {
	return err != nil && a.ctx != nil && a.ctx.Err() != nil && !errors.Is(err, errMismatch)
}

// await runs a computation that cannot be canceled. When the context ends first, await returns and the result is
// dropped.
func await[T any](ctx context.Context, compute func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	if ctx.Err() != nil {
		var none T
		return none, context.Cause(ctx)
	}
	go func() {
		value, err := compute()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}
