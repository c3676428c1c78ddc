package coverage

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/rnicgen/rnicgen/gen/outdir"
)

// Row is a line of the table: one kind of item in one block. Percent refers to the items that are not waived.
type Row struct {
	Kind    Kind    `json:"kind"`
	Block   string  `json:"block"`
	Covered int     `json:"covered"`
	Waived  int     `json:"waived"`
	Total   int     `json:"total"`
	Percent float64 `json:"percent"`
}

// Report is the result of a coverage run.
type Report struct {
	Rows     []Row
	Open     []*Item                      // not reached, and not waived
	Waived   map[*Item]*Waiver            // not reached, with the waiver that justifies it
	Idle     []*Waiver                    // waivers without effect
	Bins     []any                        // all possible bins, with counts
	Excluded []Exclusion                  // combinations, by rule
	Info     map[string][]byte            // lcov, by configuration
	Sources  map[string]map[string]string // the Verilog that lcov refers to, by configuration and file
}

// Exclusion counts the combinations that a rule is the first to exclude.
type Exclusion struct {
	Why   string `json:"why"`
	Count int    `json:"count"`
}

// OK reports whether every item is reached or waived, and every waiver needed.
func (r *Report) OK() bool { return len(r.Rows) > 0 && len(r.Open) == 0 && len(r.Idle) == 0 }

// Files returns the files of an evidence directory: sources, lcov, table, bins, waivers used.
func (r *Report) Files() (files []outdir.File, err error) {
	add := func(name string, data []byte) { files = append(files, outdir.File{Name: name, Data: data}) }
	inJSON := func(name string, v any) {
		text, wrong := json.MarshalIndent(v, "", "  ")
		err = errors.Join(err, wrong)
		add(name, append(text, '\n'))
	}
	for _, name := range slices.Sorted(maps.Keys(r.Info)) {
		add(name+".info", r.Info[name])
		for _, file := range slices.Sorted(maps.Keys(r.Sources[name])) {
			add(name+"/rtl/"+file, []byte(r.Sources[name][file]))
		}
	}
	inJSON("coverage.json", slices.Concat(r.Rows, r.Totals()))
	inJSON("bins.json", struct {
		Bins  []any       `json:"bins"`
		Rules []Exclusion `json:"rules"`
	}{r.Bins, r.Excluded})
	var table, waived strings.Builder
	err = errors.Join(err, r.Write(&table))
	for _, i := range slices.SortedFunc(maps.Keys(r.Waived), func(a, b *Item) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Module, b.Module), cmp.Compare(a.Where, b.Where), cmp.Compare(a.Name, b.Name))
	}) {
		fmt.Fprintf(&waived, "%s %s %s (%s): %s\n", i.Kind, i.Module, i.Name, i.Where, r.Waived[i].Reason)
	}
	add("coverage.txt", []byte(table.String()))
	add("waived.txt", []byte(waived.String()))
	return files, err
}

// count fills in the rows.
func (r *Report) count(list []*Item) {
	at := map[[2]string]int{}
	for _, i := range list {
		key := [2]string{string(i.Kind), i.Block}
		n, is := at[key]
		if !is {
			n = len(r.Rows)
			at[key] = n
			r.Rows = append(r.Rows, Row{Kind: i.Kind, Block: i.Block})
		}
		row := &r.Rows[n]
		row.Total++
		switch {
		case i.Covered:
			row.Covered++
		case r.Waived[i] != nil:
			row.Waived++
		}
	}
	for i := range r.Rows {
		r.Rows[i].Percent = percent(&r.Rows[i])
	}
}

func percent(r *Row) float64 {
	if r.Total == r.Waived {
		return 100
	}
	return 100 * float64(r.Covered) / float64(r.Total-r.Waived)
}

// Totals returns the sums over all blocks, by kind.
func (r *Report) Totals() (list []Row) {
	for _, k := range Kinds {
		sum := Row{Kind: k, Block: "all"}
		for _, row := range r.Rows {
			if row.Kind == k {
				sum.Covered, sum.Waived, sum.Total = sum.Covered+row.Covered, sum.Waived+row.Waived, sum.Total+row.Total
			}
		}
		if sum.Percent = percent(&sum); sum.Total > 0 {
			list = append(list, sum)
		}
	}
	return list
}

// mostShown limits the length of printed lists.
const mostShown = 40

// Write prints the report for humans.
func (r *Report) Write(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "kind\tblock\tcovered\twaived\ttotal\tpercent")
	for _, row := range slices.Concat(r.Rows, r.Totals()) {
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d\t%s\n", row.Kind, row.Block, row.Covered, row.Waived, row.Total, share(&row))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for n, i := range r.Open {
		if n == mostShown {
			fmt.Fprintf(out, "open: %d more\n", len(r.Open)-n)
			break
		}
		fmt.Fprintf(out, "open: %s %s %s (%s)\n", i.Kind, i.Module, i.Name, i.Where)
	}
	for _, w := range r.Idle {
		fmt.Fprintf(out, "unused waiver: %v\n", w)
	}
	return nil
}

// share formats the percentage of a row, and never rounds up to 100.
func share(r *Row) string {
	if r.Covered+r.Waived == r.Total {
		return "100"
	}
	return fmt.Sprintf("%.1f", min(r.Percent, 99.9))
}
