package vectors

import (
	"github.com/rnicgen/rnicgen/vectors/requirements"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// TraceRow is a requirement and the tests that show it, by tcId in the order of the file; none when no test
// does.
type TraceRow struct {
	requirements.Row
	TcIDs []int
}

// Trace lists all requirements of a suite's configuration, in the order of the catalogues.
func Trace(s *suite.Suite) ([]TraceRow, error) {
	rows, err := requirements.Of(s.Config.Config)
	if err != nil {
		return nil, err
	}
	order := orderOf(rows)
	trace := make([]TraceRow, len(rows))
	for i, r := range rows {
		trace[i].Row = r
	}
	s.Each(func(_ *suite.Group, t *suite.Test) {
		for _, id := range t.Requirements {
			if i, known := order[id]; known {
				trace[i].TcIDs = append(trace[i].TcIDs, t.TcID)
			}
		}
	})
	return trace, nil
}
