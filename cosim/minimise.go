package cosim

import "github.com/rnicgen/rnicgen/gen"

// Minimise finds the least number of messages with which a run that failed still fails. The first messages of a seed are
// the same whatever their number, so that this is the shortest run of the seed that shows the fault.
func Minimise(c gen.Config, engineName string, o Options, failing uint64) uint64 {
	o.Progress, o.Trace = nil, ""
	passing := uint64(0)
	for failing-passing > 1 {
		o.Messages = passing + (failing-passing)/2
		r, err := Run(c, engineName, o)
		if o.Context != nil && o.Context.Err() != nil {
			break
		}
		if err != nil || r.Mismatch != nil {
			failing = o.Messages
		} else {
			passing = o.Messages
		}
	}
	return failing
}
