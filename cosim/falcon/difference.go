package falcon

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim"
	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// Difference is something that an end has done and may not do.
type Difference struct{ error }

// Unwrap returns the cause.
func (d *Difference) Unwrap() error { return errors.Unwrap(d.error) }

func differs(format string, values ...any) error { return &Difference{fmt.Errorf(format, values...)} }

// IsMismatch reports whether an error of Run is a fault of an end. Others, such as a tool that is missing, are not.
func IsMismatch(err error) bool {
	var differs *Difference
	var breaks *simulator.ProtocolError
	var fails *simulator.FailedError
	var shows *simulator.UnknownError
	return errors.As(err, &differs) || errors.As(err, &breaks) || errors.As(err, &fails) || errors.As(err, &shows) || errors.Is(err, cosim.ErrNoProgress)
}
