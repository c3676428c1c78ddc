package suite

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/vectors/suite"
)

func refuse(field string, value any, allowed string, values ...any) error {
	return &suite.FieldError{Field: field, Value: value, Allowed: fmt.Sprintf(allowed, values...)}
}

// Check checks what a schema cannot express, such as valid references. It returns the first error.
func (s *Suite) Check() error {
	if err := s.Config.Check(); err != nil {
		return err
	}
	seen := map[int]string{}
	for i := range s.Groups {
		g, at := &s.Groups[i], fmt.Sprintf("groups/%d", i)
		if err := g.check(at); err != nil {
			return err
		}
		for j := range g.Tests {
			t, place := &g.Tests[j], fmt.Sprintf("%s/tests/%d", at, j)
			if other, twice := seen[t.TcID]; twice {
				return refuse(place+"/tcId", t.TcID, "a unique number; %s has this one too", other)
			}
			seen[t.TcID] = place
			if err := s.checkTest(place, g, t); err != nil {
				return err
			}
		}
	}
	if len(seen) != s.NumberOfTests {
		return refuse("numberOfTests", s.NumberOfTests, "%d, the number of tests in groups", len(seen))
	}
	return nil
}

func (g *Group) check(at string) error {
	for i := range g.Regions {
		if err := g.Regions[i].check(fmt.Sprintf("%s/regions/%d", at, i)); err != nil {
			return err
		}
	}
	for i, x := range g.XRCDomains {
		if !slices.Contains(g.SharedQueues, x.SRQ) {
			return refuse(fmt.Sprintf("%s/xrcDomains/%d/srq", at, i), x.SRQ, "a shared receive queue of the group")
		}
	}
	for i, m := range g.Memory {
		if uint64(m.Address) > -uint64(m.Octets) || m.Octets > 1<<24 {
			return refuse(fmt.Sprintf("%s/memory/%d", at, i), fmt.Sprintf("%d octets at %016x", m.Octets, uint64(m.Address)), "at most 2^24 octets, none past 2^64")
		}
	}
	return nil
}

func (r *Region) check(at string) error {
	if index := int(r.Key >> 8); index >= Regions {
		return refuse(at+"/key", fmt.Sprintf("%08x", uint32(r.Key)), "an index from 0 to %d", Regions-1)
	}
	if r.Length > 0 && (r.Base > -r.Length || r.Address > -r.Length) {
		return refuse(at+"/length", fmt.Sprintf("%016x", uint64(r.Length)), "base and address + length at most 2^64")
	}
	return nil
}

func (g *Group) hasQP(number uint32) bool {
	return slices.ContainsFunc(g.QPs, func(q QP) bool { return q.QP == number })
}

func (g *Group) hasCID(cid uint32) bool {
	return slices.ContainsFunc(g.Connections, func(c Connection) bool { return c.CID == cid })
}

func (s *Suite) checkTest(at string, g *Group, t *Test) error {
	for i, f := range t.Flags {
		if _, known := s.Notes[f]; !known {
			return refuse(fmt.Sprintf("%s/flags/%d", at, i), f, "a flag described in notes")
		}
	}
	for i := range t.Steps {
		if err := g.checkStep(fmt.Sprintf("%s/steps/%d", at, i), &t.Steps[i]); err != nil {
			return err
		}
	}
	if result := ResultOf(t); t.Result != result {
		return refuse(at+"/result", t.Result, "%s, which its steps imply", result)
	}
	return nil
}

// checkStep checks that a step names what exists.
func (g *Group) checkStep(at string, s *Step) error {
	qp := func(field string, number uint32) error {
		if !g.hasQP(number) {
			return refuse(at+"/"+field, number, "a QP of the group")
		}
		return nil
	}
	cid := func(field string, number uint32) error {
		if !g.hasCID(number) {
			return refuse(at+"/"+field, number, "a CID of the group")
		}
		return nil
	}
	switch {
	case s.Work != nil:
		return qp("work/qp", s.Work.QP)
	case s.Receive != nil && s.Receive.QP != nil:
		return qp("receive/qp", *s.Receive.QP)
	case s.Receive != nil && !slices.Contains(g.SharedQueues, *s.Receive.SRQ):
		return refuse(at+"/receive/srq", *s.Receive.SRQ, "a shared receive queue of the group")
	case s.Region != nil:
		return s.Region.check(at + "/region")
	case s.Fail != nil:
		return qp("fail", *s.Fail)
	case s.Request != nil:
		return cid("request/cid", s.Request.CID)
	case s.Response != nil:
		return cid("response/cid", s.Response.CID)
	case s.Complete != nil:
		return cid("complete/cid", s.Complete.CID)
	case s.Return != nil:
		return cid("return/cid", s.Return.CID)
	}
	return nil
}
