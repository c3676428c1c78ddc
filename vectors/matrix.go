package vectors

import (
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/vectors/requirements"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// MatrixRow is a requirement, where it is implemented and what shows it; or the reason why nothing does.
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
	Orphans     []string      `json:"orphans,omitempty"` // what does not fit
}

// CitingVectors are the tests that cite a requirement.
type CitingVectors struct {
	Count int   `json:"count"`
	TcIDs []int `json:"tcIds"`
}

// Status is what shows a requirement.
type Status string

// Each row has one of these.
const (
	ByVectors    Status = "vectors"
	ByProperties Status = "properties"       // by properties alone
	Excepted     Status = "exception"        // by nothing, for a reason
	NotOfProfile Status = "not of a profile" // not demanded: no configuration that was asked for has the profile or extension
	Orphan       Status = "orphan"
)

func (r *MatrixRow) orphan(text string, values ...any) {
	r.Orphans = append(r.Orphans, fmt.Sprintf(text, values...))
}

// shown is true when something shows the row.
func (r *MatrixRow) shown() bool { return r.Vectors.Count+len(r.Properties) > 0 }

// settle gives the row its status.
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

// Matrix is where requirements are implemented and what shows them, and what does not fit: a requirement with nothing, an
// exception for one that is shown, something that cites a requirement which does not exist.
type Matrix struct {
	Rows  []MatrixRow
	Stray []string // what cites a requirement that does not exist

	asked string // whose profiles demand rows: those of this version, or of this configuration
}

// Orphans lists all that does not fit.
func (m *Matrix) Orphans() []string {
	list := slices.Clone(m.Stray)
	for i := range m.Rows {
		list = append(list, m.Rows[i].Orphans...)
	}
	slices.Sort(list)
	return list
}

// OK is true when everything fits.
func (m *Matrix) OK() bool { return len(m.Orphans()) == 0 }

// evidence is what a matrix is made of.
type evidence struct {
	vectors    citing
	properties []requirements.Property
	exceptions []requirements.Exception
	places     []requirements.Place
}

// citing lists which tests of a suite cite each requirement.
type citing map[string][]int

// cited makes the vectors of a configuration.
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

// configurations are the default with the profile and extension of each catalogue, those of them that can be had.
func configurations(check func(gen.Config) error) (list []gen.Config) {
	for _, catalogue := range requirements.Catalogues {
		if c := catalogue.Adapt(gen.Default()); check(c) == nil {
			list = append(list, c)
		}
	}
	return list
}

// MatrixOf is the matrix of configurations: their vectors together, and all catalogues, of which those are demanded that one of
// them answers for. Without any, it is that of the default with and without its extensions.
func MatrixOf(configs ...gen.Config) (*Matrix, error) {
	asked := "configuration"
	if len(configs) == 0 {
		asked, configs = "version", configurations(gen.Config.Check)
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
	var err error
	if e.properties, err = requirements.Properties(); err != nil {
		return nil, err
	}
	if e.exceptions, err = requirements.Exceptions(); err != nil {
		return nil, err
	}
	if e.places, err = requirements.Places(); err != nil {
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

// join puts the matrix of all rows together.
func join(all []requirements.Row, demanded map[string]bool, e evidence) *Matrix {
	m := &Matrix{asked: "version"}
	at := orderOf(all)
	for _, r := range all {
		m.Rows = append(m.Rows, MatrixRow{ID: r.ID, Catalogue: r.Catalogue, Level: r.Level, Section: r.Section, Status: NotOfProfile,
			Implemented: []string{}, Vectors: CitingVectors{TcIDs: []int{}}, Properties: []string{}})
	}
	// row finds a requirement, also one that does not exist; nil when it is not demanded, so that nothing is wrong with it.
	row := func(id, what string) *MatrixRow {
		i, is := at[id]
		switch {
		case !is:
			m.Stray = append(m.Stray, fmt.Sprintf("%s cites %s, which does not exist", what, id))
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
	for _, p := range e.places {
		switch r := row(p.ID, "a place"); {
		case r == nil:
		case len(r.Implemented) > 0 || len(p.Files) == 0:
			r.orphan("%s has no places, or two lists of them", p.ID)
		default:
			r.Implemented = p.Files
		}
	}
	for _, p := range e.properties {
		if r := row(p.ID, "property "+p.Name); r != nil && p.Kind != requirements.KindRow {
			r.Properties = append(r.Properties, p.Kind+" "+p.Name)
		}
	}
	for _, p := range e.properties { // when it is known what the others have
		i, is := at[p.ID]
		if !is || !demanded[p.ID] || p.Kind != requirements.KindRow {
			continue
		}
		if j, is := at[p.Name]; is && (m.Rows[j].shown()) {
			m.Rows[i].Properties = append(m.Rows[i].Properties, "as "+p.Name)
		} else {
			m.Rows[i].orphan("%s is shown as %s, which nothing shows", p.ID, p.Name)
		}
	}
	for _, x := range e.exceptions {
		switch r := row(x.ID, "an exception"); {
		case r == nil:
		case r.Vectors.Count > 0:
			r.orphan("%s has an exception, and is shown by tcId %d", x.ID, r.Vectors.TcIDs[0])
		case r.shown():
			r.orphan("%s has an exception, and is shown by %s", x.ID, r.Properties[0])
		case r.Exception != "":
			r.orphan("%s has two exceptions", x.ID)
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
			r.orphan("%s (%s) has nothing that shows it", r.ID, r.Level)
		}
		if r.shown() && len(r.Implemented) == 0 {
			r.orphan("%s (%s) is shown, and is implemented nowhere", r.ID, r.Level)
		}
		r.settle()
	}
	return m
}
