package batch

import (
	"errors"
	"io"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// Drive runs a model as an engine, and closes the model with the engine or on an error.
func Drive(d *simulator.Design, o simulator.Options, model simulator.Model) (*Engine, error) {
	block, streams, err := NewBlock(d, o)
	if err != nil {
		return nil, errors.Join(err, closeModel(model))
	}
	memories := make([]*Memory, len(d.Memories))
	for i := range memories {
		memories[i] = &Memory{}
	}
	driver, err := NewGoDriver(d, o, block, streams, memories, model)
	if err != nil {
		return nil, errors.Join(err, closeModel(model))
	}
	return New(d, o, block, streams, memories, driver)
}

func closeModel(model simulator.Model) error {
	if c, is := model.(io.Closer); is {
		return c.Close()
	}
	return nil
}
