package crash

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// Break is a step of the log that is omitted or done incorrectly, which a crash must reveal.
type Break string

// The Breaks.
const (
	Nothing     Break = ""
	Flush       Break = "flush"       // records are not flushed
	Persistence Break = "persistence" // records are flushed to global visibility only
	Verify      Break = "verify"      // records are not verified, and some are damaged on the way
	Platform    Break = "platform"    // the platform reports a flush before it is done
)

// Breaks lists all steps that can be broken.
func Breaks() []Break { return []Break{Flush, Persistence, Verify, Platform} }

// Plan describes a run.
type Plan struct {
	Config  gen.Config        // with the extension commit
	Design  *simulator.Design // of Config; nil: generate it
	Engine  string            // one of engines.Names
	Streams int               // each with a log and a peer of its own
	Records int               // of each log
	Octets  int               // of a record
	Line    int               // octets that caches move together, a power of two from 8 to 4096
	Latency uint64            // maximum of memory and of the platform, in cycles; each is drawn
	Seed    uint64
	Break   Break
	Context context.Context // cancels the run; may be nil
}

// Limits of a Plan.
const (
	MaxRecords = 1 << 12
	MaxOctets  = 1 << 16
	MaxLatency = 1 << 16
	minLine    = 8 // smaller ones tear the tail
	maxLine    = 4096
)

// Check returns an error for a plan that cannot run; it names the value and the allowed ones.
func (p *Plan) Check() error {
	if p.Config.Protocol()&spec.Commit == 0 {
		return fmt.Errorf("extensions is [%s]; a crash needs commit among them", strings.Join(p.Config.Extensions, ", "))
	}
	for _, v := range []struct {
		name      string
		is        int
		low, high int
	}{
		{"streams", p.Streams, 1, min(p.Config.Streams, p.Config.STags)},
		{"records", p.Records, 1, MaxRecords},
		{"octets", p.Octets, 1, MaxOctets},
		{"latency", int(min(p.Latency, 1<<62)), 1, MaxLatency},
	} {
		if v.is < v.low || v.is > v.high {
			return fmt.Errorf("%s is %d; allowed: %d to %d", v.name, v.is, v.low, v.high)
		}
	}
	if p.Line < minLine || p.Line > maxLine || p.Line&(p.Line-1) != 0 {
		return fmt.Errorf("line is %d; allowed: a power of two, %d to %d", p.Line, minLine, maxLine)
	}
	if p.Break != Nothing && !slices.Contains(Breaks(), p.Break) {
		return fmt.Errorf("break is %q; allowed: %v", p.Break, Breaks())
	}
	return nil
}
