package block

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl"
)

// Pipeline is a chain of stages that never stalls: an item in stage s is in stage s + 1 a cycle later. The user must accept an item only
// if its results will have room. Stage 0 is the input; the others begin with registers.
type Pipeline struct {
	m     *hdl.Module
	valid []hdl.Value
	moves hdl.Stmts
	gate  *Gate // nil: items wait nowhere
}

// NewPipeline has stages 0 to last. take is 1 when an item enters.
func NewPipeline(m *hdl.Module, take hdl.Value, last int) *Pipeline {
	return NewNamedPipeline(m, "", take, last)
}

// NewNamedPipeline is [NewPipeline] for a module with several; prefix is that of the names of their valid bits.
func NewNamedPipeline(m *hdl.Module, prefix string, take hdl.Value, last int) *Pipeline {
	p := &Pipeline{m: m, valid: []hdl.Value{take}}
	p.extend(prefix, last)
	return p
}

// extend adds stages up to the last one.
func (p *Pipeline) extend(prefix string, last int) {
	for s := len(p.valid); s <= last; s++ {
		v := p.m.Reg(fmt.Sprintf("%svalid_%d_q", prefix, s), 1, hdl.ResetTo(0))
		p.moves = append(p.moves, v.Set(p.valid[s-1]))
		p.valid = append(p.valid, v.Value)
	}
}

// Valid is 1 when an item is in a stage.
func (p *Pipeline) Valid(stage int) hdl.Value { return p.valid[stage] }

// Signal is a value that belongs to an item and moves through the stages with it.
type Signal struct {
	p     *Pipeline
	name  string
	first int
	at    []hdl.Value
}

// Signal declares a value of the item in a stage.
func (p *Pipeline) Signal(name string, stage int, v hdl.Value) *Signal {
	return p.Holds(name, stage, p.m.Let(name, v))
}

// Holds is [Pipeline.Signal] for a value that already has a name.
func (p *Pipeline) Holds(name string, stage int, v hdl.Value) *Signal {
	return &Signal{p, name, stage, []hdl.Value{v}}
}

// Stage is the first one in which the value is known.
func (s *Signal) Stage() int { return s.first }

// At is the value of the item in a stage. The registers on the way have the stage numbers in their names.
func (s *Signal) At(stage int) hdl.Value {
	for n := s.first + len(s.at); n <= stage; n++ {
		if g := s.p.gate; g != nil && n == g.stage {
			s.at = append(s.at, g.carry(s.name, s.at[len(s.at)-1]))
			continue
		}
		r := s.p.m.Reg(fmt.Sprintf("%s_%d_q", s.name, n), s.at[0].Width(), hdl.NoReset)
		s.p.moves = append(s.p.moves, r.Set(s.at[len(s.at)-1]))
		s.at = append(s.at, r.Value)
	}
	return s.at[stage-s.first]
}

// Later is the same signal, available only in a later stage: a memory instead of registers holds it until then.
func (s *Signal) Later(stage int) *Signal {
	p, depth, most := s.p, 2, stage-s.first
	waits := p.gate != nil && s.first < p.gate.stage && stage > p.gate.stage
	if waits {
		most += p.gate.depth
	}
	for depth < most {
		depth *= 2
	}
	ahead := uint64(stage - 1 - s.first)
	if waits {
		ahead = 0
	}
	in := p.m.Reg(s.name+"_in_q", IndexWidth(depth), hdl.ResetTo(ahead))
	out := p.m.Reg(s.name+"_out_q", IndexWidth(depth), hdl.ResetTo(0))
	if waits {
		p.moves = append(p.moves, hdl.If(p.valid[s.first], in.Set(in.Plus(1))), hdl.If(p.valid[stage-1], out.Set(out.Plus(1))))
	} else {
		p.moves = append(p.moves, in.Set(in.Plus(1)), out.Set(out.Plus(1)))
	}
	way := p.m.Memory(s.name+"_way", s.at[0].Width(), depth)
	way.Write(p.valid[s.first], in.Value, s.at[0])
	read := way.Read(fmt.Sprintf("%s_%d_q", s.name, stage), p.valid[stage-1], out.Value, hdl.ReadOld)
	return &Signal{p, s.name, stage, []hdl.Value{read}}
}

// Close drives the registers of all stages. No signal can be extended afterwards.
func (p *Pipeline) Close() {
	if p.gate != nil {
		p.gate.close()
	}
	p.m.Section("Pipeline registers")
	p.m.OnClock(p.moves)
}
