package formal

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const right = `// A stage keeps what it takes.
// uses adder
// depth 3
// bound 20
// reset once
// gates
// assume quiet: the tester; shown by tester/quiet, tester/silent
always @* quiet: assume (in_word != 4'd9);
// property kept: what is taken leaves
// control kept: q <= in => q <= ~in
// control kept: ready & => 1'b1 &
// invariant small: the count is small
// bounded small 7: it takes long to say
// excused handshake_out: it is a level
// bounded handshake_other 9: nobody knows why
always @* begin kept: assert (a); kept: assert (b); end
always @* small:
    assert (` + "`WIDTH_in_word" + ` == 4); // assert (nothing)
`

func TestParse(t *testing.T) {
	s, err := Parse("stage.v", right)
	require.NoError(t, err)
	assert.Equal(t, []string{"adder"}, s.Uses)
	assert.Equal(t, []int{3, 20}, []int{s.Depth, s.Bound})
	assert.True(t, s.ResetOnce)
	assert.True(t, s.Gates)
	require.Len(t, s.Properties, 2)
	kept, small := s.Properties[0], s.Properties[1]
	assert.Equal(t, "what is taken leaves", kept.Says)
	require.Len(t, kept.Controls, 2)
	assert.Equal(t, []string{"q <= in", "q <= ~in"}, []string{kept.Controls[0].Old, kept.Controls[0].New})
	assert.True(t, small.Invariant)
	assert.Equal(t, 7, small.Bounded)
	assert.Equal(t, 9, s.limit("handshake_other").Bounded)
	assert.Equal(t, "it is a level", s.Excuse("out"))
	assert.Empty(t, s.Excuse("in"))
	assert.Equal(t, "the tester", s.Assumptions[0].By)
	assert.Equal(t, []Shown{{"tester", "quiet"}, {"tester", "silent"}}, s.Assumptions[0].Shown)

	text := s.items(func(label, is string) role { return s.role(view{goals: goals{"kept"}}, true, label, is) })
	assert.Contains(t, text, "kept: assert (a); kept__again_2: assert (b);")
	assert.Contains(t, text, "small:\n    cover (")
	assert.Contains(t, text, "quiet: assume (")
	assert.NotContains(t, text, "nothing", "comments are removed")
	alone := s.items(func(label, is string) role { return s.role(view{goals: goals{"kept"}, alone: true}, true, label, is) })
	assert.Contains(t, alone, "quiet: cover (", "without the assumptions")
	child := s.items(func(label, is string) role { return s.role(view{}, false, label, is) })
	assert.Contains(t, child, "kept: assume (a);", "a parent relies on proven properties")
	assert.Contains(t, child, "small:\n    cover (", "and on no others")
}

// Each mistake is reported with its line.
func TestParseMistakes(t *testing.T) {
	const property = "// property p: is\n// control p: a => b\n"
	const assertion = "always @* p: assert (a);\n"
	for _, tt := range []struct{ name, text, message string }{
		{"nothing", "// Empty.\n", "x.v:1: no property"},
		{"no text", "// property p\n", `x.v:1: property "p"; allowed: property NAME: text` + "\nx.v:1: no property"},
		{"the same name twice", property + property + assertion, "x.v:3: property p: this name is taken"},
		{"no assertion", property, "x.v:1: property p has no assertion with this label"},
		{"no control", "// property p: is\n" + assertion, "x.v:1: property p has no control"},
		{"a negative control for nothing", "// control p: a => b\n" + property + assertion, "x.v:1: control p: no property above has this name"},
		{"a control without its edit", "// property p: is\n// control p: a\n" + assertion, `x.v:2: control "a"; allowed: control NAME: OLD => NEW` + "\nx.v:1: property p has no control"},
		{"an assertion without a label", property + assertion + "always @* assert (b);\n",
			"x.v:4: a statement has no label, or is neither assert nor assume: always @* assert (b);"},
		{"cover", property + assertion + "always @* c: cover (b);\n", "x.v:4: a statement has no label, or is neither assert nor assume: always @* c: cover (b);"},
		{"an assertion that nothing announces", property + assertion + "always @* q: assert (b);\n",
			"x.v:4: assertion q; there is no line: // property q: text"},
		{"an assumption that nothing announces", property + assertion + "always @* q: assume (b);\n",
			"x.v:4: assumption q; there is no line: // assume q: who guarantees it"},
		{"an assumption without a statement", property + assertion + "// assume q: me\n", "x.v:4: assumption q has no statement with this label"},
		{"an assumption shown by no name", property + assertion + "// assume q: me; shown by nothing\nalways @* q: assume (a);\n",
			`x.v:4: assume "me; shown by nothing"; allowed: assume NAME: who; shown by KIND/PROPERTY, KIND/PROPERTY`},
		{"depth", property + assertion + "// depth 0\n", `x.v:4: depth is "0"; allowed: 1 to 1000`},
		{"bound", property + assertion + "// bound many\n", `x.v:4: bound is "many"; allowed: 1 to 1000`},
		{"bounded without a reason", property + assertion + "// bounded p 4\n", `x.v:4: bounded "p 4"; allowed: bounded NAME STEPS: reason`},
		{"bounded of nothing", property + assertion + "// bounded q 4: so\n", "x.v:4: bounded q: no property or invariant above has this name"},
		{"an excuse for a property", property + assertion + "// excused p: so\n", "x.v:4: excused p; allowed: excused handshake_STREAM: reason"},
		{"alone of nothing", property + assertion + "// alone q\n", `x.v:4: alone "q": no property or invariant above has this name`},
		{"alone and bounded", property + "// alone p\n// bounded p 4: so\n" + assertion, "x.v:1: property p is bounded; only a property proven for all cycles can be alone"},
		{"uses", property + assertion + "// uses a b\n", `x.v:4: uses "a b"; allowed: uses MODULE`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Parse("x.v", tt.text)
			assert.EqualError(t, err, tt.message)
		})
	}
	_, err := Parse("x.v", "// control a: b => c\n// depth x\n")
	require.Error(t, err)
	assert.Len(t, strings.Split(err.Error(), "\n"), 3, "all mistakes are reported")
}

func TestControl(t *testing.T) {
	const text = "a <= 4'd1;\nb <=\n    4'd2;\na <= 4'd3;\n"
	for _, tt := range []struct{ name, old, new, want, message string }{
		{"the first place", "a <= ", "a <= ~", "a <= ~4'd1;\nb <=\n    4'd2;\na <= 4'd3;\n", ""},
		{"any number, kept", "a <= <N>'d<N>", "a <= <N>'d<N> + 1", "a <= 4'd1 + 1;\nb <=\n    4'd2;\na <= 4'd3;\n", ""},
		{"any white space", "b <= 4'd2", "b <= 4'd5", "a <= 4'd1;\nb <= 4'd5;\na <= 4'd3;\n", ""},
		{"not there", "c <= ", "c <= ~", "", `x.v:7: control: the printed text has no "c <= "`},
		{"no change", "a", "a", "", "x.v:7: control: nothing changes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Control{tt.old, tt.new, 7}.Apply(&Spec{File: "x.v"}, text)
			if tt.message != "" {
				assert.EqualError(t, err, tt.message)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, tt.want, got)
		})
	}
}
