package cosim

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/capture"
	"github.com/rnicgen/rnicgen/cosim/engine"
	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/model/rdmap"
	"github.com/rnicgen/rnicgen/model/wire"
)

// ReplayReport is what became of one capture.
type ReplayReport struct {
	File       string         `json:"file"`
	TCPStreams int            `json:"tcp_streams"`
	FPDUs      int            `json:"fpdus"`
	CRCChecked int            `json:"crc_checked"`
	CRCBad     int            `json:"crc_bad"`
	Messages   map[string]int `json:"messages"`       // segments by the name of their opcode; every name is there
	Other      int            `json:"other_segments"` // segments with a reserved opcode, or too short to have one
	Atomics    int            `json:"roce_atomics"`   // RoCE atomics that the captured responder answered
	Known      int            `json:"roce_atomics_known"`
	Mismatches int            `json:"mismatches"`

	First error `json:"-"` // the first mismatch
}

// Replayer runs captured traffic through the hardware: iWARP segments through the parser, RoCE atomics, as RFC 7306
// requests, through the whole responder.
type Replayer struct {
	config  gen.Config
	engine  string
	options engine.Options
	parser  *DUT
	atomics *DUT
}

// NewReplayer opens nothing yet: a capture decides which hardware it needs.
func NewReplayer(c gen.Config, engineName string, o engine.Options) *Replayer {
	return &Replayer{config: c, engine: engineName, options: o}
}

// Close ends the engines.
func (r *Replayer) Close() error {
	var errs []error
	for _, d := range []*DUT{r.parser, r.atomics} {
		if d != nil {
			errs = append(errs, d.Close())
		}
	}
	return errors.Join(errs...)
}

// Replay runs one capture. Mismatches are in the report; the error is for what cannot be run.
func (r *Replayer) Replay(path string) (ReplayReport, error) {
	c, err := capture.Open(path)
	if err != nil {
		return ReplayReport{}, err
	}
	report := ReplayReport{File: path, Messages: map[string]int{}}
	s := c.Summary()
	report.TCPStreams, report.FPDUs, report.CRCChecked, report.CRCBad = s.TCPStreams, s.FPDUs, s.CRCChecked, s.CRCBad
	named := 0
	for _, m := range wire.Messages {
		report.Messages[m.Name] = s.Segments[m.Name]
		named += s.Segments[m.Name]
	}
	report.Other = s.FPDUs - named
	if s.FPDUs > 0 {
		if err := r.segments(c, &report); err != nil {
			return report, fmt.Errorf("%s: %w", path, err)
		}
	}
	if s.AtomicsAnswered > 0 {
		if err := r.roce(c, &report); err != nil {
			return report, fmt.Errorf("%s: %w", path, err)
		}
	}
	return report, nil
}

func (r *ReplayReport) mismatch(format string, args ...any) {
	r.Mismatches++
	if r.First == nil {
		r.First = fmt.Errorf(format, args...)
	}
}

// segments sends every ULPDU of a capture through the parser and compares records and payloads with the model's.
func (r *Replayer) segments(c *capture.Capture, report *ReplayReport) error {
	if r.parser == nil {
		design, err := DDPParser(r.config)
		if err != nil {
			return err
		}
		if r.parser, err = OpenDesign(r.config, design, r.engine, r.options); err != nil {
			return err
		}
	}
	var records []rdmap.Record
	var payloads []Segment
	for i, s := range c.Streams {
		for _, segment := range s.Segments() {
			number := uint32(2 * i)
			if segment.ToServer {
				number++
			}
			number %= uint32(r.config.Streams)
			if err := r.parser.Send(number, segment.ULPDU); err != nil {
				return err
			}
			record, payload := rdmap.RecordOf(number, segment.ULPDU)
			records = append(records, record)
			if len(payload) > 0 {
				payloads = append(payloads, Segment{number, payload})
			}
		}
	}
	if err := r.parser.Run(); err != nil {
		return err
	}
	compareLists(report, "record", r.parser.Records(), records, func(a, b rdmap.Record) bool { return a == b })
	compareLists(report, "payload", r.parser.Payloads(), payloads, func(a, b Segment) bool {
		return a.Stream == b.Stream && bytes.Equal(a.Octets, b.Octets)
	})
	return nil
}

func compareLists[T any](report *ReplayReport, what string, rtl, model []T, equal func(a, b T) bool) {
	for i := range max(len(rtl), len(model)) {
		switch {
		case i >= len(rtl):
			report.mismatch("%s %d: the hardware has none, the model has %+v", what, i, model[i])
		case i >= len(model):
			report.mismatch("%s %d: the model has none, the hardware has %+v", what, i, rtl[i])
		case !equal(rtl[i], model[i]):
			report.mismatch("%s %d:\n  rtl:   %+v\n  model: %+v", what, i, rtl[i], model[i])
		}
	}
}
