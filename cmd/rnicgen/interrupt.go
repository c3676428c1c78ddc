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

// interruption is a signal that asks the program to end.
type interruption struct{ signal syscall.Signal }

func (i *interruption) Error() string {
	return fmt.Sprintf("interrupted by signal %d (%v)", i.signal, i.signal)
}

// Is makes it what a context that has ended is known by.
func (i *interruption) Is(target error) bool { return target == context.Canceled }

// exitInterrupted is the exit code of a shell's command that a signal has ended: 130 for SIGINT, 143 for SIGTERM.
func exitInterrupted(err error) int {
	var i *interruption
	if errors.As(err, &i) {
		return 128 + int(i.signal)
	}
	return 128 + int(syscall.SIGINT)
}

// echo is the time in which one signal may come twice: timeout(1) sends it to the program and to its process group.
const echo = 300 * time.Millisecond

// untilSignal is a context that SIGINT or SIGTERM ends. Another one ends the program at once.
func untilSignal(errs io.Writer) context.Context {
	ctx, end := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	go func() {
		first := (<-signals).(syscall.Signal)
		begun := time.Now()
		end(&interruption{first})
		fmt.Fprintf(errs, "rnicgen: %v: ending; once more ends it at once\n", first)
		for again := range signals {
			if time.Since(begun) > echo {
				os.Exit(128 + int(again.(syscall.Signal)))
			}
		}
	}()
	return ctx
}

// interrupted tells whether a command that gave err has ended early because it was asked to.
func (a *app) interrupted(err error) bool {
	return err != nil && a.ctx != nil && a.ctx.Err() != nil && !errors.Is(err, errMismatch)
}

// await waits for what only computes, or for the end of the context: what is computed then is of no more use.
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
