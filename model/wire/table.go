package wire

import "fmt"

// Table is the layout of one header: fields from the first transmitted bit to the last, without holes.
type Table struct {
	Name    string // lower snake case
	Title   string // as the specification prints it
	Section string // where the specification draws it
	Octets  int    // length of the header
	Fields  []Field
}

// Field finds a field by name.
func (t *Table) Field(name string) (Field, bool) {
	for _, f := range t.Fields {
		if f.Name == name {
			return f, true
		}
	}
	return Field{}, false
}

// MustField finds a field that is known to exist. The name is a constant of the caller's source, so a
// wrong one is a mistake of the program and panics.
func (t *Table) MustField(name string) Field {
	f, ok := t.Field(name)
	if !ok {
		panic(fmt.Sprintf("wire: table %s has no field %q", t.Name, name))
	}
	return f
}

// Check tells what is wrong with the table: a field that overlaps its predecessor, a hole, a name used
// twice, a width that no Get can return, or a length that is not the sum of the fields.
func (t *Table) Check() error {
	names := make(map[string]bool, len(t.Fields))
	next := 0
	for _, f := range t.Fields {
		switch {
		case f.Name == "" || names[f.Name]:
			return fmt.Errorf("wire: table %s: field name %q is empty or used twice", t.Name, f.Name)
		case f.Width < 1 || f.Width > 64:
			return fmt.Errorf("wire: table %s: field %s is %d bits wide; allowed: 1..64", t.Name, f.Name, f.Width)
		case f.Offset < next:
			return fmt.Errorf("wire: table %s: field %s at bit %d overlaps the field before it, which ends at bit %d",
				t.Name, f.Name, f.Offset, next)
		case f.Offset > next:
			return fmt.Errorf("wire: table %s: bits %d..%d before field %s belong to no field",
				t.Name, next, f.Offset-1, f.Name)
		}
		names[f.Name] = true
		next = f.Offset + f.Width
	}
	if next != 8*t.Octets {
		return fmt.Errorf("wire: table %s: fields end at bit %d, the header has %d octets", t.Name, next, t.Octets)
	}
	return nil
}

// at is the position of a field, for the codec.
func (t *Table) at(name string) bits { return t.MustField(name).bits() }
