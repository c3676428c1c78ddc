package vectors

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/rnicgen/rnicgen/vectors/requirements"
)

// MatrixSummary counts the rows of a catalogue by status. Each row counts once.
type MatrixSummary struct {
	Catalogue    string `json:"catalogue"`
	Rows         int    `json:"rows"`
	Vectors      int    `json:"vectors"`
	Properties   int    `json:"properties"` // only by properties
	Exceptions   int    `json:"exceptions"`
	NotOfProfile int    `json:"not_of_a_profile"`
	Orphans      int    `json:"orphans"`
}

func (s *MatrixSummary) count(r *MatrixRow) {
	s.Rows++
	switch r.Status {
	case ByVectors:
		s.Vectors++
	case ByProperties:
		s.Properties++
	case Excepted:
		s.Exceptions++
	case NotOfProfile:
		s.NotOfProfile++
	case Orphan:
		s.Orphans++
	}
}

// Summaries returns the counts per catalogue, and finally the total, as "all".
func (m *Matrix) Summaries() []MatrixSummary {
	list, all := []MatrixSummary{}, MatrixSummary{Catalogue: "all"}
	for i := range m.Rows {
		r := &m.Rows[i]
		if n := len(list); n == 0 || list[n-1].Catalogue != r.Catalogue {
			list = append(list, MatrixSummary{Catalogue: r.Catalogue})
		}
		list[len(list)-1].count(r)
		all.count(r)
	}
	return append(list, all)
}

// Of returns the matrix of one catalogue.
func (m *Matrix) Of(catalogue string) (*Matrix, error) {
	var names []string
	for _, c := range requirements.Catalogues {
		names = append(names, c.Name)
	}
	if !slices.Contains(names, catalogue) {
		return nil, fmt.Errorf("--catalogue is %q; allowed: %s", catalogue, strings.Join(names, ", "))
	}
	of := &Matrix{Stray: m.Stray, asked: m.asked}
	for _, r := range m.Rows {
		if r.Catalogue == catalogue {
			of.Rows = append(of.Rows, r)
		}
	}
	return of, nil
}

// MatrixReport is the machine-readable form of a matrix.
type MatrixReport struct {
	Catalogues []MatrixSummary `json:"catalogues"` // the last one is the total
	Orphans    []string        `json:"orphans"`
	Rows       []MatrixRow     `json:"rows"`
}

// Report returns the matrix with its counts.
func (m *Matrix) Report() MatrixReport {
	return MatrixReport{m.Summaries(), append([]string{}, m.Orphans()...), m.Rows}
}

// shownTests is the number of tests per row listed by Write; the report has all.
const shownTests = 3

// named formats the number of tests that cite a row, and the first of them.
func (v CitingVectors) named() string {
	if v.Count == 0 {
		return "-"
	}
	text := fmt.Sprintf("%d: tcId %s", v.Count, strings.Trim(fmt.Sprint(v.TcIDs[:min(shownTests, v.Count)]), "[]"))
	if v.Count > shownTests {
		text += " ..."
	}
	return text
}

// orDash joins a list; "-" if it is empty.
func orDash(list []string, separator string) string {
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, separator)
}

// Write prints a table of all rows, the orphans, the counts per catalogue, and a one-line total.
func (m *Matrix) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "requirement\tlevel\tstatus\timplemented in\tvectors\tproperties or exception")
	for _, r := range m.Rows {
		by := orDash(r.Properties, ", ")
		if r.Exception != "" {
			by = r.Exception
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", r.ID, r.Level, r.Status, orDash(r.Implemented, " "), r.Vectors.named(), by)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	orphans := m.Orphans()
	for _, o := range orphans {
		fmt.Fprintln(w, "orphan:", o)
	}
	fmt.Fprintln(w)
	counts := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(counts, "catalogue\trows\tvectors\tproperties alone\texceptions\tnot of a profile\torphans")
	summaries := m.Summaries()
	for _, s := range summaries {
		fmt.Fprintf(counts, "%s\t%d\t%d\t%d\t%d\t%d\t%d\n", s.Catalogue, s.Rows, s.Vectors, s.Properties, s.Exceptions, s.NotOfProfile, s.Orphans)
	}
	if err := counts.Flush(); err != nil {
		return err
	}
	all := summaries[len(summaries)-1]
	_, err := fmt.Fprintf(w, "\n%d requirements: %d shown by vectors, %d by properties alone, %d reviewed exceptions, %d not of a profile of this %s, %d orphans\n",
		all.Rows, all.Vectors, all.Properties, all.Exceptions, all.NotOfProfile, m.asked, len(orphans))
	return err
}
