package hardware

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// A refusal is the completion in error of the same work request, and no other outcome.
func TestRefusal(t *testing.T) {
	want := &suite.Step{Work: &suite.Work{QP: 1, ID: 2}, Expect: []suite.Expect{{Refused: true}}}
	refused := func(c suite.Completion) bool {
		got := &suite.Step{Work: want.Work, Expect: []suite.Expect{{Completion: &c}}}
		refuses(got, want)
		return got.Expect[0].Refused
	}
	assert.True(t, refused(suite.Completion{QP: 1, ID: 2, Status: Refusal}))
	assert.False(t, refused(suite.Completion{QP: 1, ID: 2, Status: "success"}))
	assert.False(t, refused(suite.Completion{QP: 1, ID: 2, Status: "flushed"}))
	assert.False(t, refused(suite.Completion{QP: 1, ID: 3, Status: Refusal}))
	assert.False(t, refused(suite.Completion{QP: 2, ID: 2, Status: Refusal}))
	assert.False(t, refused(suite.Completion{QP: 1, ID: 2, Recv: true, Status: Refusal}))
	failed := &suite.Step{Work: want.Work, Expect: []suite.Expect{{Completion: &suite.Completion{QP: 1, ID: 2, Status: Refusal}}}}
	refuses(failed, &suite.Step{Work: want.Work, Expect: []suite.Expect{{Completion: &suite.Completion{QP: 1, ID: 2, Status: Refusal}}}})
	assert.False(t, failed.Expect[0].Refused, "the work request was taken")
}
