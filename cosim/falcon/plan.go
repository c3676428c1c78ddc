package falcon

import (
	"context"
	"math/rand/v2"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// Plan is a run of random traffic between two ends.
type Plan struct {
	Config     gen.Config
	Design     *simulator.Design // in place of that of Config; tests pass mutated designs
	Engine     string            // one of engines.Names
	Peer       string            // the other end: model or rtl
	Seed       uint64            // of the traffic and of the contents of memory
	Choices    rand.Source       // of the traffic in place of the seed; may be nil
	Operations uint64            // work requests of both ends
	Pairs      int               // connected QPs of each end; 0: all
	Reorder    int               // a connection that is not ordered delivers one of so many packets next; 0: drawn
	ErrorRate  float64           // fraction of invalid work requests
	Late       int               // receives are posted in one of so many steps; 0: drawn
	Mix        *Mix              // of work requests; nil: drawn
	Stall      simulator.Stall
	Latency    simulator.Latency // of memory
	Unknown    bool              // start from unknown state, which must not reach an output; icarus only
	Quick      bool
	Trace      string // waveform file of the first end
	Progress   func(operations, cycles uint64)
	Coverage   *simulator.Coverage // of the first end
	Context    context.Context
}

// drawn is the plan with omitted values drawn from its seed.
func (p Plan) drawn(r *rand.Rand) Plan {
	if p.Reorder == 0 {
		p.Reorder = []int{1, 8, 64}[r.IntN(3)]
	}
	if p.Late == 0 {
		p.Late = []int{1, 20, 200}[r.IntN(3)]
	}
	if p.Pairs == 0 {
		p.Pairs = p.Config.Streams
	}
	if p.Mix == nil {
		p.Mix = &Mixes[r.IntN(len(Mixes))]
	}
	return p
}

// Mix selects the work requests. Operations of many QPs coincide in one cycle only if the QPs do little else.
type Mix struct {
	Kinds       []spec.Kind
	Short       bool // they have one packet
	Invalidates bool // Sends that may invalidate do
}

var Mixes = []Mix{
	{Kinds: []spec.Kind{spec.Send, spec.Write, spec.Read, spec.CmpSwap, spec.FetchAdd}},
	{Kinds: []spec.Kind{spec.Send, spec.Write, spec.Read, spec.CmpSwap, spec.FetchAdd}, Short: true},
	{Kinds: []spec.Kind{spec.Send}, Short: true, Invalidates: true},
	{Kinds: []spec.Kind{spec.Read, spec.CmpSwap, spec.FetchAdd}, Short: true},
}

// Summary counts the operations of a run.
type Summary struct {
	Operations uint64 `json:"operations"` // that are complete
	Posted     uint64 `json:"-"`          // work requests; less than in the plan only after an error
	Failed     int    `json:"failed"`     // of these: in error
	Refused    int    `json:"refused"`
	Flushed    int    `json:"flushed"`
	Receives   int    `json:"receives"`
	Shared     int    `json:"shared"`  // of these: of shared queues
	Packets    int    `json:"packets"` // delivered
	Retried    int    `json:"retried"` // of these: again, after an RNR
	Reordered  int    `json:"reordered"`
	Reopened   int    `json:"reopened"` // pairs of QPs, after an error
	Cycles     uint64 `json:"cycles"`   // of each end
}
