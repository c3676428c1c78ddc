// Package prove proves the properties of every block of gen, in small configurations.
package prove

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rnicgen/rnicgen/hdl/formal"
)

// Options control a proof run.
type Options struct {
	formal.Options
	Jobs     int                             // blocks at a time
	Controls bool                            // also show that each property can fail
	Progress func(name string, done, of int) // called when a block is done
}

// Row is the result of one property.
type Row struct {
	Block    string  `json:"block"`
	Property string  `json:"property"`
	Says     string  `json:"says"`
	Kind     string  `json:"kind"`  // proven, bounded, composed or failed
	Depth    int     `json:"depth"` // cycles of the induction, or from reset
	Solver   string  `json:"solver"`
	Seconds  float64 `json:"seconds"`         // of the proof, which the properties of a block may share
	Shown    string  `json:"shown,omitempty"` // of an assumption: the properties that show it, as block/property
	Control  string  `json:"twin,omitempty"`
	Detail   string  `json:"detail,omitempty"`
	Trace    string  `json:"trace,omitempty"`
	OK       bool    `json:"ok"`
}

// Prove proves the blocks and returns rows in their order. The first error ends the run, and so does the end of the context; the rows
// are then those of the finished blocks.
func Prove(ctx context.Context, blocks []Block, o Options) ([]Row, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	rows := make([][]Row, len(blocks))
	places := make(chan struct{}, max(1, o.Jobs))
	var group sync.WaitGroup
	var lock sync.Mutex
	done := 0
	for i, b := range blocks {
		places <- struct{}{}
		group.Go(func() {
			defer func() { <-places }()
			if ctx.Err() != nil {
				return
			}
			var err error
			if rows[i], err = b.prove(ctx, o); err != nil {
				stop(fmt.Errorf("%s: %w", b.Name, err))
				return
			}
			lock.Lock()
			defer lock.Unlock()
			if done++; o.Progress != nil {
				o.Progress(b.Name, done, len(blocks))
			}
		})
	}
	group.Wait()
	if ctx.Err() != nil {
		return slices.Concat(rows...), context.Cause(ctx)
	}
	return slices.Concat(rows...), nil
}

func (b Block) prove(ctx context.Context, o Options) ([]Row, error) {
	results, err := b.Prove(ctx, o.Options, o.Controls && b.First)
	if err != nil {
		return nil, err
	}
	var out []Row
	for _, r := range results {
		shown := strings.Trim(fmt.Sprint(r.Shown), "[]")
		out = append(out, Row{Block: b.Name, Property: r.Property, Says: r.Says, Kind: string(r.Kind), Depth: r.Depth, Solver: o.Solver,
			Seconds: r.Time.Round(time.Millisecond).Seconds(), Shown: shown, Control: r.Control, Detail: r.Detail, Trace: r.Trace, OK: r.OK()})
	}
	return out, nil
}
