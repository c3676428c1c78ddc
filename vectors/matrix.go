package vectors

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/vectors/falcon"
	profile "github.com/rnicgen/rnicgen/vectors/falcon/suite"
	"github.com/rnicgen/rnicgen/vectors/requirements"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// MatrixRow is a requirement with its implementation and its evidence, or a reviewed exception.
type MatrixRow struct {
	ID          string        `json:"id"`
	Catalogue   string        `json:"catalogue"`
	Level       string        `json:"level"`
	Section     string        `json:"section"`
	Status      Status        `json:"status"`
	Implemented []string      `json:"implemented"` // files: hardware, then model
	Vectors     CitingVectors `json:"vectors"`
	Properties  []string      `json:"properties"` // as "test gen.TestX", "proof gen.TestX", "property fifo/order", "as RFC7306-5-01"
	Exception   string        `json:"exception,omitempty"`
	Orphans     []string      `json:"orphans,omitempty"` // inconsistencies
}

// CitingVectors lists the tests that cite a requirement.
type CitingVectors struct {
	Count int   `json:"count"`
	TcIDs []int `json:"tcIds"`
}

// Status is the kind of evidence for a requirement.
type Status string

// Each row has one of these.
const (
	ByVectors    Status = "vectors"
	ByProperties Status = "properties"       // only by properties
	Excepted     Status = "exception"        // a reviewed exception
	NotOfProfile Status = "not of a profile" // not required: no selected configuration has the profile or extension
	Orphan       Status = "orphan"
)

func (r *MatrixRow) orphan(text string, values ...any) {
	r.Orphans = append(r.Orphans, fmt.Sprintf(text, values...))
}

// shown reports whether the row has evidence.
func (r *MatrixRow) shown() bool { return r.Vectors.Count+len(r.Properties) > 0 }

// settle sets the status of the row.
func (r *MatrixRow) settle() {
	switch {
	case len(r.Orphans) > 0:
		r.Status = Orphan
	case r.Vectors.Count > 0:
		r.Status = ByVectors
	case r.shown():
		r.Status = ByProperties
	default:
		r.Status = Excepted
	}
}

// Matrix relates requirements to their implementation and evidence, and lists inconsistencies: a requirement without
// evidence, an exception for a requirement with evidence, a citation of a requirement that does not exist.
type Matrix struct {
	Rows  []MatrixRow
	Stray []string // citations of requirements that do not exist

	asked string // scope of the required rows: "version" or "configuration"
}

// Orphans returns all inconsistencies.
func (m *Matrix) Orphans() []string {
	list := slices.Clone(m.Stray)
	for i := range m.Rows {
		list = append(list, m.Rows[i].Orphans...)
	}
	slices.Sort(list)
	return list
}

// OK reports whether there are no orphans.
func (m *Matrix) OK() bool { return len(m.Orphans()) == 0 }

// evidence is the input of a matrix.
type evidence struct {
	vectors    citing
	properties []requirements.Property
	exceptions []requirements.Exception
}

// citing maps a requirement to the tests of a suite that cite it.
type citing map[string][]int

// cited returns the citations in the vectors of a configuration.
func cited(c gen.Config) (citing, error) {
	by := citing{}
	add := func(tcID int, ids []string) {
		for _, id := range ids {
			by[id] = append(by[id], tcID)
		}
	}
	s, err := New(c, DefaultSeed)
	if err == nil {
		s.Each(func(_ *suite.Group, t *suite.Test) { add(t.TcID, t.Requirements) })
	}
	return by, err
}

// configurations returns the default configuration with the profile and extension of each catalogue, if valid.
// Catalogues with the same profile and extension have one.
func configurations(check func(gen.Config) error) (list []gen.Config) {
	for _, catalogue := range requirements.Catalogues {
		if c := catalogue.Adapt(gen.Default()); check(c) == nil && !slices.ContainsFunc(list, catalogue.Demanded) {
			list = append(list, c)
		}
	}
	return list
}

// MatrixOf returns the matrix of configurations: all their vectors, and all catalogues, of which those that apply to
// any of them are required. Without configurations it uses the default with and without its extensions.
func MatrixOf(configs ...gen.Config) (*Matrix, error) {
	asked := "configuration"
	if len(configs) == 0 {
		asked, configs = "version", configurations(Supports)
	}
	e := evidence{vectors: citing{}}
	demanded := map[string]bool{}
	for _, c := range configs {
		of, err := requirements.Of(c)
		if err != nil {
			return nil, err
		}
		for _, r := range of {
			demanded[r.ID] = true
		}
		some, err := cited(c)
		if err != nil {
			return nil, err
		}
		for id, tests := range some {
			e.vectors[id] = append(e.vectors[id], tests...)
		}
	}
	return matrixOf(asked, demanded, e)
}

// MatrixOfFalcon returns the matrix of a configuration of the profile falcon.
func MatrixOfFalcon(c profile.Config) (*Matrix, error) {
	rows, err := requirements.Of(gen.Config{Profile: profile.Profile})
	if err != nil {
		return nil, err
	}
	s, err := falcon.New(c, DefaultSeed)
	if err != nil {
		return nil, err
	}
	e, demanded := evidence{vectors: citing{}}, map[string]bool{}
	for _, r := range rows {
		demanded[r.ID] = true
	}
	s.Each(func(_ *profile.Group, t *profile.Test) {
		for _, id := range t.Requirements {
			e.vectors[id] = append(e.vectors[id], t.TcID)
		}
	})
	return matrixOf("configuration", demanded, e)
}

// matrixOf adds the evidence other than vectors, and joins all.
func matrixOf(asked string, demanded map[string]bool, e evidence) (_ *Matrix, err error) {
	if e.properties, err = requirements.Properties(); err != nil {
		return nil, err
	}
	if e.exceptions, err = requirements.Exceptions(); err != nil {
		return nil, err
	}
	all, err := requirements.All()
	if err != nil {
		return nil, err
	}
	m := join(all, demanded, e)
	m.asked = asked
	return m, nil
}

// join builds the matrix.
func join(all []requirements.Row, demanded map[string]bool, e evidence) *Matrix {
	m := &Matrix{asked: "version"}
	at := orderOf(all)
	for _, r := range all {
		implemented := []string{}
		if demanded[r.ID] {
			implemented = append(implemented, r.Places...)
		}
		m.Rows = append(m.Rows, MatrixRow{ID: r.ID, Catalogue: r.Catalogue, Level: r.Level, Section: r.Section, Status: NotOfProfile,
			Implemented: implemented, Vectors: CitingVectors{TcIDs: []int{}}, Properties: []string{}})
	}
	// row returns the row of a requirement; nil if it is not required or, which is recorded, does not exist.
	row := func(id, what string) *MatrixRow {
		i, is := at[id]
		switch {
		case !is:
			m.Stray = append(m.Stray, fmt.Sprintf("%s cites %s; allowed: ids in the catalogues", what, id))
			return nil
		case !demanded[id]:
			return nil
		}
		return &m.Rows[i]
	}
	for id, tests := range e.vectors {
		if r := row(id, fmt.Sprintf("tcId %d", tests[0])); r != nil {
			slices.Sort(tests)
			r.Vectors.TcIDs = slices.Compact(tests)
			r.Vectors.Count = len(r.Vectors.TcIDs)
		}
	}
	for _, p := range e.properties {
		if r := row(p.ID, "property "+p.Name); r != nil && p.Kind != requirements.KindRow {
			r.Properties = append(r.Properties, p.Kind+" "+p.Name)
		}
	}
	for _, p := range e.properties { // after the others are known
		i, is := at[p.ID]
		if !is || !demanded[p.ID] || p.Kind != requirements.KindRow {
			continue
		}
		if j, is := at[p.Name]; is && (m.Rows[j].shown()) {
			m.Rows[i].Properties = append(m.Rows[i].Properties, "as "+p.Name)
		} else {
			m.Rows[i].orphan("%s refers to the evidence of %s, which has none", p.ID, p.Name)
		}
	}
	for _, x := range e.exceptions {
		switch r := row(x.ID, "an exception"); {
		case r == nil:
		case r.Vectors.Count > 0:
			r.orphan("%s has an exception and also evidence: tcId %d", x.ID, r.Vectors.TcIDs[0])
		case r.shown():
			r.orphan("%s has an exception and also evidence: %s", x.ID, r.Properties[0])
		case r.Exception != "":
			r.orphan("%s has two exceptions; allowed: one", x.ID)
		default:
			r.Exception = x.Reason
		}
	}
	for i := range m.Rows {
		r := &m.Rows[i]
		if !demanded[r.ID] {
			continue
		}
		if !r.shown() && r.Exception == "" {
			r.orphan("%s (%s) has no evidence", r.ID, r.Level)
		}
		if r.shown() && len(r.Implemented) == 0 {
			r.orphan("%s (%s) has evidence but no implementation", r.ID, r.Level)
		}
		r.settle()
	}
	return m
}
