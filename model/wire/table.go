package wire

import "fmt"

// Table is the layout of one header: fields from the first transmitted bit to the last, without gaps.
type Table struct {
	Name    string // lower snake case
	Title   string // as the specification prints it
	Section string // section with its figure
	Octets  int    // length of the header
	Fields  []Field
}

// Field returns a field by name.
func (t *Table) Field(name string) (Field, bool) {
	for _, f := range t.Fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// MustField returns a field that is known to exist. It panics for an unknown name, which is a programming error.
func (t *Table) MustField(name string) Field {
	f, ok := t.Field(name)
	if !ok {
		panic(fmt.Sprintf("wire: table %s has no field %q", t.Name, name))
	}
	return f
}

// Check returns an error if the table has a field that overlaps its predecessor, a gap, a duplicate name, a width that
// Get does not support, or a length that is not the sum of the widths.
func (t *Table) Check() error {
	names := make(map[string]bool, len(t.Fields))
	next := 0
	for _, f := range t.Fields {
		switch {
		case f.Name == "" || names[f.Name]:
			return fmt.Errorf("wire: table %s: field name is %q; allowed: a unique, nonempty name", t.Name, f.Name)
		case f.Width < 1 || f.Width > 64:
			return fmt.Errorf("wire: table %s: field %s is %d bits wide; allowed: 1..64", t.Name, f.Name, f.Width)
		case f.Offset < next:
			return fmt.Errorf("wire: table %s: field %s starts at bit %d; allowed: %d, the end of the previous field",
				t.Name, f.Name, f.Offset, next)
		case f.Offset > next:
			return fmt.Errorf("wire: table %s: bits %d..%d before field %s are in no field; allowed: no gap",
				t.Name, next, f.Offset-1, f.Name)
		}
		names[f.Name] = true
		next = f.Offset + f.Width
	}
	if next != 8*t.Octets {
		return fmt.Errorf("wire: table %s: fields end at bit %d; allowed: the end of the header, %d octets", t.Name, next, t.Octets)
	}
	return nil
}

// at returns the position of a field, for the codec.
func (t *Table) at(name string) bits { return t.MustField(name).bits() }
