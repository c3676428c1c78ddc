package spec

// Extensions is a set of optional parts of the protocol. Its methods take a table's rows of that set into account; the
// tables Operations and Rules, and the methods of Opcode and Class, are those of the empty set: RFC 5040, RFC 5041 and
// RFC 7306 alone.
type Extensions uint8

const (
	// Commit is RDMA Flush, RDMA Verify and Atomic Write, draft-talpey-rdma-commit-01.
	Commit Extensions = 1 << iota

	AllExtensions = Commit
)

// MaxOpcodeBits is the width of an opcode with all extensions.
const MaxOpcodeBits = 5

// OpcodeBits is the width of an opcode: the figure of the draft's section 3.1 has five bits (I-15).
func (x Extensions) OpcodeBits() int {
	if x&Commit != 0 {
		return MaxOpcodeBits
	}
	return OpcodeBits
}

// Operation returns the opcode's row; an empty row and false for an opcode that is reserved with this set.
func (x Extensions) Operation(o Opcode) (*Operation, bool) {
	row, known := o.Operation()
	if i := int(o) - len(Operations); i >= 0 && i < len(CommitOperations) && x&CommitOperations[i].Extension != 0 {
		row, known = &CommitOperations[i], true
	}
	return row, known
}

// Title returns the specification's name of the message.
func (x Extensions) Title(o Opcode) string {
	if row, known := x.Operation(o); known {
		return row.Title
	}
	return o.String()
}

// Is reports whether the opcode's operation is in one of the classes; a reserved opcode is in none.
func (x Extensions) Is(o Opcode, c Class) bool {
	row, _ := x.Operation(o)
	return row.Class&c != 0
}

// All returns the opcodes of the operations in the classes c.
func (x Extensions) All(c Class) (list []Opcode) {
	return x.Where(func(o *Operation) bool { return o.Class&c != 0 })
}

// Opcode returns the first opcode in some of the classes.
func (x Extensions) Opcode(c Class) Opcode { return x.All(c)[0] }

// Where returns the opcodes of the operations for which has is true.
func (x Extensions) Where(has func(*Operation) bool) (list []Opcode) {
	for _, o := range x.Operations() {
		if has(o) {
			list = append(list, o.Opcode)
		}
	}
	return list
}

// Operations returns the rows in the order of their opcodes.
func (x Extensions) Operations() (list []*Operation) {
	for o := Opcode(0); ; o++ {
		row, known := x.Operation(o)
		if !known {
			return list
		}
		list = append(list, row)
	}
}

// Rules returns the rows of the rules that a segment can break, and of None, in the order of their checks (I-53).
func (x Extensions) Rules() (list []*RuleRow) {
	for i := range Rules {
		if x&Commit != 0 {
			for _, added := range commitChecks {
				if added.before == Rule(i) {
					list = append(list, added.rule.Row())
				}
			}
		}
		list = append(list, &Rules[i])
	}
	return list
}

// NumberedRules returns the rows in the order of their numbers, also of the rules that a request breaks only when it is executed.
func (x Extensions) NumberedRules() (list []*RuleRow) {
	for i := range Rules {
		list = append(list, &Rules[i])
	}
	if x&Commit != 0 {
		for i := range CommitRules {
			list = append(list, &CommitRules[i])
		}
	}
	return list
}

// Count returns the number of opcodes, which are 0 to Count - 1.
func (x Extensions) Count() int { return len(x.Operations()) }
