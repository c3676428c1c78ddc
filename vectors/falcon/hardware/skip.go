package hardware

import (
	"slices"

	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// Lacks says what a test needs that hardware does not have; "" if nothing.
func Lacks(c suite.Config, g *suite.Group, t *suite.Test) string {
	if len(g.Credits) > 0 {
		return "credits of a function or of the host"
	}
	for _, l := range g.Connections {
		if l.Window != c.Window {
			return "a window of its own"
		}
	}
	for _, q := range g.QPs {
		if q.ORD > c.IRRQ || q.IRRQ != c.IRRQ {
			return "an IRRQ of its own, or a larger ORD"
		}
	}
	for i := range t.Steps {
		if what := lacks(c, g, &t.Steps[i]); what != "" {
			return what
		}
	}
	switch {
	case completesEarly(t):
		return "completions of an unordered QP before those posted earlier"
	case changesRegion(t):
		return "regions that change while an Atomic waits"
	case changesSource(t):
		return "regions that change while a work request waits"
	}
	return ""
}

// completesEarly reports whether a work request completes before one of its QP that was posted earlier.
func completesEarly(t *suite.Test) bool {
	posted := map[uint32][]suite.Hex64{}
	for i := range t.Steps {
		s := &t.Steps[i]
		if w := s.Work; w != nil {
			posted[w.QP] = append(posted[w.QP], w.ID)
		}
		for _, e := range s.Expect {
			if c := e.Completion; c != nil && !c.Recv {
				list := posted[c.QP]
				if len(list) == 0 || list[0] != c.ID {
					return true
				}
				posted[c.QP] = list[1:]
			}
		}
	}
	return false
}

// changesRegion reports whether a row of the table of regions is replaced while a pull that was acknowledged has no response.
func changesRegion(t *suite.Test) bool {
	open := 0
	for i := range t.Steps {
		s := &t.Steps[i]
		if s.Region != nil && open > 0 {
			return true
		}
		for _, e := range s.Expect {
			if s.Request != nil && s.Request.Type == "pull_request" && e.Reply != nil && e.Reply.NACK == 0 {
				open++
			}
			if e.Response != nil {
				open--
			}
		}
	}
	return false
}

// changesSource reports whether a row of the table of regions is replaced that a Send or a Write has as its local buffer, and is incomplete.
func changesSource(t *suite.Test) bool {
	open := map[suite.Hex64][]suite.Element{}
	for i := range t.Steps {
		s := &t.Steps[i]
		if w := s.Work; w != nil && (w.Kind == "send" || w.Kind == "write") {
			open[w.ID] = w.Local
		}
		for _, list := range open {
			if s.Region != nil && slices.ContainsFunc(list, func(e suite.Element) bool { return e.Key>>8 == s.Region.Key>>8 }) {
				return true
			}
		}
		for _, e := range s.Expect {
			if c := e.Completion; c != nil && !c.Recv {
				delete(open, c.ID)
			}
		}
	}
	return false
}

func lacks(c suite.Config, g *suite.Group, s *suite.Step) string {
	switch {
	case s.Work != nil && s.Work.Address != nil && s.Work.Address.CID != unnamed(g):
		return "datagrams of a QP over several connections"
	}
	return ""
}
