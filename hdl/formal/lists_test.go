package formal

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLists(t *testing.T) {
	const declared = "// property p: `EACH_NONE(@)\n"
	lists := Lists{"SENDER": {"read", "atomic"}, "ONE": {"x"}}
	for text, want := range map[string]string{
		"wire a = {end_valid, `EACH_SENDER(@_valid)}; // `EACH_NONE(@)\n": "wire a = {end_valid, atomic_valid, read_valid}; // `EACH_NONE(@)\n",
		"p: assert (&{`EACH_SENDER((k == SEND_@@) | f(@))});":             "p: assert (&{(k == SEND_ATOMIC) | f(atomic), (k == SEND_READ) | f(read)});",
		"{`EACH_ONE(`DATA_@), `EACH_SENDER(@)}":                           "{`DATA_x, atomic, read}",
		"nothing":                                                         "nothing",
	} {
		s := &Spec{text: declared + text}
		with, err := s.With(lists)
		require.NoError(t, err)
		assert.Equal(t, declared+want, with.text)
		assert.Equal(t, declared+text, s.text)
	}
	for text, want := range map[string]string{
		"`EACH_NONE(@)":         "x.v:2: `EACH_NONE is unknown; allowed: one of `EACH_ONE, `EACH_SENDER and a text in parentheses",
		"wire a = `EACH_ONE((@": "x.v:2: `EACH_ONE has no closing parenthesis; allowed: a text on one line",
	} {
		_, err := (&Spec{File: "x.v", text: declared + text}).With(lists)
		assert.EqualError(t, err, want)
	}
}
