package crash

import (
	"context"
	"errors"
	"fmt"
)

// Result is the result of a run.
type Result struct {
	Streams      int          `json:"streams"`
	Records      int          `json:"records"` // of all logs
	Crashes      uint64       `json:"crashes"` // one after each cycle
	Checks       uint64       `json:"checks"`  // of logs that had changed since the crash before
	Acknowledged uint64       `json:"acknowledged"`
	Damaged      int          `json:"damaged"` // logs with a record that is damaged on the way
	Ended        int          `json:"ended"`   // of those, how many Verify has ended
	Fault        string       `json:"fault,omitempty"`
	Transaction  *Transaction `json:"transaction,omitempty"` // one that was acknowledged
}

// Run runs a plan up to its end or the first fault. An error is neither.
func Run(p Plan) (result Result, err error) {
	if err := p.Check(); err != nil {
		return Result{}, err
	}
	result = Result{Streams: p.Streams, Records: p.Streams * p.Records}
	r, err := open(&p, &result)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, r.device.Close()) }()
	// A peer never waits longer than the memory and the platform may take for all logs together.
	silence := 10000 + 8*p.Latency*uint64(p.Streams) + uint64(p.Octets)*4*uint64(p.Streams)
	for !r.done() && result.Fault == "" {
		if r.now%1024 == 0 && p.Context != nil && p.Context.Err() != nil {
			return result, context.Cause(p.Context)
		}
		if err := r.cycle(); err != nil {
			return result, err
		}
		if r.now > r.busy+silence {
			r.fail("no response for %d cycles", silence)
		}
	}
	r.finish()
	return result, nil
}

// finish counts, and checks that all has been appended that should have been.
func (r *rig) finish() {
	for _, l := range r.logs {
		r.result.Acknowledged += l.durable - l.before
		if l.damaged != 0 {
			r.result.Damaged++
		}
		if l.ended {
			r.result.Ended++
		}
		whole := l.before + l.records
		if l.damaged != 0 && r.plan.Break != Verify {
			whole = l.damaged - 1
		}
		if l.durable != whole {
			r.fail("stream %d: record 0x%X was acknowledged last, and 0x%X should have been", l.stream, l.durable, whole)
		}
	}
	for _, l := range r.logs {
		for _, t := range l.transactions {
			if t.Steps[flushTail].Responded != 0 && (r.result.Transaction == nil || t.Record <= l.before+(l.records+1)/2 && l == r.logs[0]) {
				r.result.Transaction = t
			}
		}
	}
}

func (r *Result) String() string {
	return fmt.Sprintf("%d streams, %d records: %d crashes, %d checks, %d records acknowledged, %d logs with a damaged record, %d ended by Verify",
		r.Streams, r.Records, r.Crashes, r.Checks, r.Acknowledged, r.Damaged, r.Ended)
}
