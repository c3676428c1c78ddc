// Package prove proves the properties of every block of gen, in small configurations.
package prove

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rnicgen/rnicgen/hdl/formal"
)

// Options say how to prove.
type Options struct {
	formal.Options
	Jobs     int                             // blocks at a time
	Twins    bool                            // show also that each property can fail
	Progress func(name string, done, of int) // called when a block is done
}

// Row is what is known of one property.
type Row struct {
	Block    string  `json:"block"`
	Property string  `json:"property"`
	Says     string  `json:"says"`
	Kind     string  `json:"kind"`  // proven, bounded, composed or failed
	Depth    int     `json:"depth"` // clocks of the induction, or from reset
	Solver   string  `json:"solver"`
	Seconds  float64 `json:"seconds"` // of the proof, which the properties of a block may share
	Twin     string  `json:"twin,omitempty"`
	Detail   string  `json:"detail,omitempty"`
	Trace    string  `json:"trace,omitempty"`
	OK       bool    `json:"ok"`
}

// Prove proves the blocks. The rows are in their order.
func Prove(ctx context.Context, blocks []Block, o Options) ([]Row, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	rows, errs := make([][]Row, len(blocks)), make([]error, len(blocks))
	var group sync.WaitGroup
	var lock sync.Mutex
	places, done := make(chan struct{}, max(1, o.Jobs)), 0
	for i, b := range blocks {
		places <- struct{}{}
		group.Go(func() {
			defer func() { <-places }()
			if ctx.Err() != nil {
				return
			}
			if rows[i], errs[i] = b.prove(ctx, o); errs[i] != nil {
				stop() // the others are in vain
			}
			lock.Lock()
			defer lock.Unlock()
			if done++; o.Progress != nil {
				o.Progress(b.Name, done, len(blocks))
			}
		})
	}
	group.Wait()
	for i, err := range errs {
		if err != nil && (ctx.Err() == nil || err != context.Canceled) {
			return nil, fmt.Errorf("%s: %w", blocks[i].Name, err)
		}
	}
	if errs := slices.DeleteFunc(errs, func(err error) bool { return err == nil }); len(errs) > 0 {
		return nil, errs[0]
	}
	return slices.Concat(rows...), nil
}

func (b Block) prove(ctx context.Context, o Options) ([]Row, error) {
	results, err := b.Prove(ctx, o.Options, o.Twins && b.First)
	if err != nil {
		return nil, err
	}
	var out []Row
	for _, r := range results {
		out = append(out, Row{Block: b.Name, Property: r.Property, Says: r.Says, Kind: string(r.Kind), Depth: r.Depth, Solver: o.Solver,
			Seconds: r.Time.Round(time.Millisecond).Seconds(), Twin: r.Twin, Detail: r.Detail, Trace: r.Trace, OK: r.OK()})
	}
	return out, nil
}
