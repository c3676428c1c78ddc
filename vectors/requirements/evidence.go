package requirements

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
)

// Kinds of a property.
const (
	KindTest  = "test"  // a Go test of this repository, as package.Test
	KindProof = "proof" // the same, which has a solver prove something for all inputs
	KindRow   = "row"   // another requirement, that demands the same or more
)

// Property is something beside vectors that shows a requirement.
type Property struct{ ID, Kind, Name, Note string }

// Exception is the reason why nothing shows a requirement. Both tables are reviewed: properties.csv and exceptions.csv.
type Exception struct{ ID, Reason string }

// Properties lists all of them, in the order of the file.
func Properties() (list []Property, err error) {
	err = table("properties.csv", []string{"id", "kind", "name", "note"}, func(l []string) { list = append(list, Property{l[0], l[1], l[2], l[3]}) })
	return list, err
}

// Exceptions lists all of them, in the order of the file.
func Exceptions() (list []Exception, err error) {
	err = table("exceptions.csv", []string{"id", "reason"}, func(l []string) { list = append(list, Exception{l[0], l[1]}) })
	return list, err
}

func table(name string, columns []string, row func(l []string)) error {
	data, err := files.ReadFile(name)
	if err != nil {
		return err
	}
	lines, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return fmt.Errorf("requirements: %s: %w", name, err)
	}
	if len(lines) == 0 || !slices.Equal(lines[0], columns) {
		return fmt.Errorf("requirements: %s: the first line is not %v", name, columns)
	}
	for _, l := range lines[1:] {
		row(l)
	}
	return nil
}
