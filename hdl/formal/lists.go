package formal

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Lists are lists of names that a design has one of each for, such as its ports of one kind, so that a property file need not name them.
type Lists map[string][]string

const each = "`EACH_"

// With replaces each `EACH_LIST(text) by one text per name of the list, separated by commas, the last name first as in a concatenation.
// In the text, @ is the name and @@ the name in capitals. A text is on one line.
func (s *Spec) With(lists Lists) (*Spec, error) {
	out := *s
	var errs []error
	lines := strings.Split(s.text, "\n")
	for i, line := range lines {
		code, remark, _ := strings.Cut(line, "//")
		changed, err := lists.expand(code)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s:%d: %w", s.File, i+1, err))
		}
		if remark != "" {
			changed += "//" + remark
		}
		lines[i] = changed
	}
	out.text = strings.Join(lines, "\n")
	return &out, errors.Join(errs...)
}

func (l Lists) expand(code string) (string, error) {
	var out strings.Builder
	for {
		before, after, is := strings.Cut(code, each)
		out.WriteString(before)
		if !is {
			return out.String(), nil
		}
		name, rest, _ := strings.Cut(after, "(")
		names, known := l[name]
		if !known {
			return "", fmt.Errorf("%s%s is unknown; allowed: one of %s%s and a text in parentheses", each, name, each,
				strings.Join(slices.Sorted(maps.Keys(l)), ", "+each))
		}
		end := closing(rest)
		if end < 0 {
			return "", fmt.Errorf("%s%s has no closing parenthesis; allowed: a text on one line", each, name)
		}
		var texts []string
		for _, n := range slices.Backward(names) {
			texts = append(texts, strings.NewReplacer("@@", strings.ToUpper(n), "@", n).Replace(rest[:end]))
		}
		out.WriteString(strings.Join(texts, ", "))
		code = rest[end+1:]
	}
}

// closing is the place of the parenthesis that closes one before the text; -1 if there is none.
func closing(text string) int {
	open := 1
	for i, c := range text {
		switch c {
		case '(':
			open++
		case ')':
			open--
		}
		if open == 0 {
			return i
		}
	}
	return -1
}
