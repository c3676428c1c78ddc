package gates

import (
	"testing"

	"github.com/rnicgen/rnicgen/cosim/engine/internal/enginetest"
)

func TestEngine(t *testing.T) { enginetest.Conform(t, Open) }
