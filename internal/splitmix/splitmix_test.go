package splitmix

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// The first numbers of the authors' C program with seed 1234567.
func TestKnownNumbers(t *testing.T) {
	s := New(1234567, 0)
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		assert.Equal(t, want, s.Next())
	}
	assert.Equal(t, uint64(9817491932198370423), New(1234567, 2).Next())
}
