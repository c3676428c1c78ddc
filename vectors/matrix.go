package vectors

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/vectors/requirements"
	rnicsuite "github.com/rnicgen/rnicgen/vectors/rnic/suite"
	"github.com/rnicgen/rnicgen/vectors/suite"
)

// MatrixRow is a requirement and what shows it: vectors as "tcId 12", properties as "test gen.TestX", "proof gen.TestX" or
// "as RFC7306-5-01"; or the reason why nothing does.
type MatrixRow struct {
	ID        string   `json:"id"`
	Level     string   `json:"level"`
	Section   string   `json:"section"`
	CoveredBy []string `json:"covered_by"`
	Exception string   `json:"exception,omitempty"`

	vectors int // of CoveredBy
}

// Matrix is what shows the requirements, all of them, and what does not fit: a requirement with nothing, an exception for one
// that is shown, something that cites a requirement which does not exist.
type Matrix struct {
	Rows    []MatrixRow
	Orphans []string
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
	if c.Top == gen.TopRNIC {
		s, err := NewRNIC(c, DefaultSeed)
		if err == nil {
			s.Each(func(_ *rnicsuite.Group, t *rnicsuite.Test) { add(t.TcID, t.Requirements) })
		}
		return by, err
	}
	s, err := New(c, DefaultSeed)
	if err == nil {
		s.Each(func(_ *suite.Group, t *suite.Test) { add(t.TcID, t.Requirements) })
	}
	return by, err
}

// MatrixOf is the matrix of configurations: their vectors together, and the catalogues that they answer for. Without any, it is
// that of both tops, with and without their extensions. What only the larger top can show is an exception of the smaller one.
func MatrixOf(configs ...gen.Config) (*Matrix, error) {
	if len(configs) == 0 {
		for _, c := range []gen.Config{gen.DefaultRNIC(), gen.DefaultAtomics()} {
			with := c
			with.Extensions = []string{"draft00"}
			configs = append(configs, c, with)
		}
	}
	var rows []requirements.Row
	by := citing{}
	for _, c := range configs {
		of, err := requirements.Of(c)
		if err != nil {
			return nil, err
		}
		if len(of) > len(rows) {
			rows = of
		}
		some, err := cited(c)
		if err != nil {
			return nil, err
		}
		for id, tests := range some {
			by[id] = append(by[id], tests...)
		}
	}
	properties, err := requirements.Properties()
	if err != nil {
		return nil, err
	}
	exceptions, err := requirements.Exceptions()
	if err != nil {
		return nil, err
	}
	larger := citing{}
	if !slices.ContainsFunc(configs, func(c gen.Config) bool { return c.Top == gen.TopRNIC }) {
		c := gen.DefaultRNIC()
		c.Extensions = configs[0].Extensions
		if larger, err = cited(c); err != nil {
			return nil, err
		}
	}
	all, err := requirements.All()
	if err != nil {
		return nil, err
	}
	return join(rows, all, by, larger, properties, exceptions), nil
}

// join puts the matrix of rows together. all are the rows that there are in any catalogue; larger is what the larger top shows.
func join(rows, all []requirements.Row, by, larger citing, properties []requirements.Property, exceptions []requirements.Exception) *Matrix {
	m := &Matrix{}
	orphan := func(text string, values ...any) { m.Orphans = append(m.Orphans, fmt.Sprintf(text, values...)) }
	known, at := orderOf(all), orderOf(rows)
	for _, r := range rows {
		row := MatrixRow{ID: r.ID, Level: r.Level, Section: r.Section, CoveredBy: []string{}}
		tests := by[r.ID]
		slices.Sort(tests)
		for _, id := range slices.Compact(tests) {
			row.CoveredBy = append(row.CoveredBy, fmt.Sprintf("tcId %d", id))
		}
		row.vectors = len(row.CoveredBy)
		m.Rows = append(m.Rows, row)
	}
	for id, tests := range by {
		if _, is := known[id]; !is {
			orphan("tcId %d cites %s, which does not exist", tests[0], id)
		}
	}
	for _, p := range properties {
		_, is := known[p.ID]
		i, mine := at[p.ID]
		switch {
		case !is:
			orphan("property %s cites %s, which does not exist", p.Name, p.ID)
		case !mine: // it is of another configuration
		case p.Kind != requirements.KindRow:
			m.Rows[i].CoveredBy = append(m.Rows[i].CoveredBy, p.Kind+" "+p.Name)
		}
	}
	for _, p := range properties { // when it is known what the others have
		i, mine := at[p.ID]
		if !mine || p.Kind != requirements.KindRow {
			continue
		}
		if j, is := at[p.Name]; is && (len(m.Rows[j].CoveredBy) > 0 || len(larger[p.Name]) > 0) {
			m.Rows[i].CoveredBy = append(m.Rows[i].CoveredBy, "as "+p.Name)
		} else {
			orphan("%s is shown as %s, which nothing shows", p.ID, p.Name)
		}
	}
	for _, e := range exceptions {
		_, is := known[e.ID]
		i, mine := at[e.ID]
		switch {
		case !is:
			orphan("an exception cites %s, which does not exist", e.ID)
		case mine && len(m.Rows[i].CoveredBy) > 0:
			orphan("%s has an exception, and is shown by %s", e.ID, m.Rows[i].CoveredBy[0])
		case mine && m.Rows[i].Exception != "":
			orphan("%s has two exceptions", e.ID)
		case mine:
			m.Rows[i].Exception = e.Reason
		}
	}
	for i := range m.Rows {
		switch r := &m.Rows[i]; {
		case len(r.CoveredBy) > 0 || r.Exception != "":
		case len(larger[r.ID]) > 0:
			r.Exception = "Shown by the vectors of the top rnic; rnic_atomics executes Atomic Requests and takes all other messages apart."
		default:
			orphan("%s (%s) has nothing that shows it", r.ID, r.Level)
		}
	}
	slices.Sort(m.Orphans)
	return m
}

// OK is true when everything fits.
func (m *Matrix) OK() bool { return len(m.Orphans) == 0 }

// Write tells people: a table and a summary.
func (m *Matrix) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "requirement\tlevel\tcount\tcovered by")
	vectors, others, excepted := 0, 0, 0
	for _, r := range m.Rows {
		var by []string
		if r.vectors > 0 {
			by = append(by, fmt.Sprintf("%d vectors", r.vectors))
		}
		by = append(by, r.CoveredBy[r.vectors:]...)
		switch {
		case r.vectors > 0:
			vectors++
		case len(r.CoveredBy) > 0:
			others++
		case r.Exception != "":
			excepted++
			by = append(by, "exception: "+r.Exception)
		default:
			by = append(by, "NOTHING")
		}
		fmt.Fprintf(t, "%s\t%s\t%d\t%s\n", r.ID, r.Level, len(r.CoveredBy), strings.Join(by, ", "))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, o := range m.Orphans {
		fmt.Fprintln(w, "orphan:", o)
	}
	_, err := fmt.Fprintf(w, "%d requirements: %d shown by vectors, %d by properties alone, %d reviewed exceptions, %d orphans\n",
		len(m.Rows), vectors, others, excepted, len(m.Orphans))
	return err
}
