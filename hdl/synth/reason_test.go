package synth

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestReason(t *testing.T) {
	assert.Equal(t, "ERROR: Unable to place cell 'x'", reason("Info: placing\nERROR: Unable to place cell 'x'\n0 warnings, 1 error\n"))
	assert.Equal(t, "no such file", reason("Info: reading\nno such file\n"))
}
