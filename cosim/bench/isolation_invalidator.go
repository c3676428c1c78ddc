package bench

import (
	"github.com/rnicgen/rnicgen/cosim/rnic"
	"github.com/rnicgen/rnicgen/model/memory"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
	"github.com/rnicgen/rnicgen/model/wire"
)

// The rows of the STag table that an invalidator uses in turn.
const (
	firstInvalidRow = 8
	invalidRows     = 8
)

// invalidator is a peer that invalidates STags of its own by Sends, and a host that stores them again as fast as the registers permit.
type invalidator struct {
	silent
	valid, storing, gone []uint32 // rows
	sentUp, received     uint64   // Sends
	writes               int      // of registers, in progress
}

// invalidRegions stores the rows that an invalidator uses; its host only repeats the command.
func invalidRegions(d *rnic.Device) error {
	for row := range invalidRows {
		region := memory.Region{Valid: true, Rights: isolationRights | memory.Invalidate, ByDomain: true, Length: 64, Address: aggressorAddress}
		if err := d.SetRegion(firstInvalidRow+row, region); err != nil {
			return err
		}
	}
	return nil
}

func (a *invalidator) begin(p *party) {
	for row := range uint32(invalidRows) {
		a.valid = append(a.valid, firstInvalidRow+row)
	}
	for id := range uint64(isolationReceives) {
		p.postReceive(id, aggressorSTag, 0, victimReceive)
	}
}

func (a *invalidator) step(p *party, _ uint64) {
	for len(a.valid) > 0 && len(p.segments) < ahead && a.sentUp < a.received+isolationReceives-floodSpare {
		p.segments = append(p.segments, wire.AppendSend(nil, spec.SendInvalidate.Opcode(), a.valid[0]<<8, uint32(a.sentUp+1), 0, true, make([]byte, 32)))
		a.valid = a.valid[1:]
		a.sentUp++
	}
	if a.writes > 0 || len(a.gone) == 0 {
		return
	}
	a.storing, a.gone = a.gone, nil
	for _, row := range a.storing {
		p.commands = append(p.commands, registerWrite("stag_index", row), registerWrite("stag_command", 1))
	}
	// The last command does nothing: its response says that the one before it has taken effect.
	p.commands = append(p.commands, registerWrite("stag_command", 0))
	a.writes = len(p.commands)
}

func (a *invalidator) completed(p *party, _ uint64, c rnic.Completion) {
	p.postReceive(c.ID+isolationReceives, aggressorSTag, 0, victimReceive)
	a.received++
	a.gone = append(a.gone, c.STag>>8)
}

func (a *invalidator) answered(_ *party, n int) {
	if a.writes -= n; a.writes == 0 {
		a.valid, a.storing = append(a.valid, a.storing...), nil
	}
}
