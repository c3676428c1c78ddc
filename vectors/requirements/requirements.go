// Package requirements holds the catalogues of what the specifications demand, one row a statement.
package requirements

import (
	"bytes"
	"embed"
	"encoding/csv"
	"fmt"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
)

// Row is one statement. Level is MUST, MUST NOT, SHOULD, MAY or FACT; Check says how it can be shown.
type Row struct {
	ID, Section, Level, Role, Topic, Requirement, Check, Notes string
}

//go:embed *.csv
var files embed.FS

// Catalogues, and the extension that each is for.
var catalogues = []struct{ file, extension string }{
	{"rfc7306.csv", ""},
	{"draft-ietf-storm-rdmap-ext-00.csv", "draft00"},
}

// columns open every catalogue.
var columns = []string{"id", "section", "level", "role", "topic", "requirement", "check", "notes"}

// All lists the rows of all catalogues.
func All() ([]Row, error) {
	var rows []Row
	for _, c := range catalogues {
		r, err := read(c.file)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r...)
	}
	return rows, nil
}

// Of lists the rows that a configuration answers for.
func Of(config gen.Config) ([]Row, error) {
	var rows []Row
	for _, c := range catalogues {
		if c.extension != "" && !slices.Contains(config.Extensions, c.extension) {
			continue
		}
		r, err := read(c.file)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r...)
	}
	return rows, nil
}

func read(name string) ([]Row, error) {
	data, err := files.ReadFile(name)
	if err != nil {
		return nil, err
	}
	lines, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("requirements: %s: %w", name, err)
	}
	if len(lines) == 0 || !slices.Equal(lines[0], columns) {
		return nil, fmt.Errorf("requirements: %s: the first line is not %v", name, columns)
	}
	var rows []Row
	for _, l := range lines[1:] {
		rows = append(rows, Row{l[0], l[1], l[2], l[3], l[4], l[5], l[6], l[7]})
	}
	return rows, nil
}
