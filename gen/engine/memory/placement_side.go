package memory

import (
	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
)

// placementSide are the placements in near memory, or those in far memory. Memory answers those of one side in order.
type placementSide struct {
	prefix   string // of its signals
	finished hdl.Wire
	bursts   hdl.Stream[burstUnderWay] // without a response

	inProgress, crowded, ended hdl.Reg
}

// newPlacementSides are the near side and, with far memory, the far one.
func newPlacementSides(m *hdl.Module, c engine.Config) (sides []*placementSide) {
	prefixes := []string{"", "far_"}
	if !c.HasFar() {
		prefixes = prefixes[:1]
	}
	for _, prefix := range prefixes {
		finished := m.Wire(prefix+"finished", 1)
		sides = append(sides, &placementSide{prefix: prefix, finished: finished,
			bursts: hdl.NewStream(m, "oldest_"+prefix+"burst", burstUnderWayOf(block.IndexWidth(c.Streams)))})
	}
	return sides
}

func (s *placementSide) isFar() bool { return s.prefix != "" }

func (s *placementSide) name() string {
	if s.isFar() {
		return "far"
	}
	return "near"
}

// only is v if it is of this side.
func (s *placementSide) only(v, far hdl.Value) hdl.Value {
	if s.isFar() {
		return v.And(far)
	}
	return v.And(far.Not())
}

func (s *placementSide) declare(m *hdl.Module) {
	s.inProgress = m.Reg(s.prefix+"in_progress_q", engine.PlacementBits, hdl.ResetTo(0))
	s.crowded = m.Reg(s.prefix+"crowded_q", 1, hdl.ResetTo(0))
	s.ended = m.Reg(s.prefix+"finished_q", 1, hdl.ResetTo(0))
}

// count counts the placements in progress. A placement begins at an address, on this side or on the other.
func (s *placementSide) count(m *hdl.Module, begins, address hdl.Value, c engine.Config) {
	if c.HasFar() {
		begins = m.Let("begins_"+s.name(), s.only(begins, address.Bit(c.FarBit)))
	}
	wide := func(v hdl.Value) hdl.Value { return v.ZeroExtend(engine.PlacementBits) }
	remain := m.Let(s.prefix+"remain", s.inProgress.Add(wide(begins)).Sub(wide(s.ended.Value)))
	m.OnClock(s.ended.Set(s.finished.Value), s.inProgress.Set(remain), s.crowded.Set(remain.All()))
}

// newAccepted is the buffer of accepted tasks. With far memory, what crosses from one memory to the other leaves it alone, as responses of
// both arrive in any order: once no burst of an earlier task is without a response, which clear says, and before later tasks.
func newAccepted(m *hdl.Module, tasks hdl.Stream[placementTask], c engine.Config) (accepted block.Skid[placementTask], clear hdl.Wire) {
	if !c.HasFar() {
		return block.NewSkid(m, "next", tasks.Sink().Data, tasks.Source()), clear
	}
	measured := hdl.NewStream(m, "measured", tasks.Sink().Data)
	accepted, clear = block.NewSkid(m, "measured", tasks.Sink().Data, measured.Source()), m.Wire("is_clear", 1)
	next, task := block.NewSkid(m, "next", tasks.Sink().Data, tasks.Source()), measured.Sink()
	alone, crosses := m.Reg("was_alone_q", 1, hdl.ResetTo(0)), task.Data.Side.(*taskSide).Crosses
	idle := m.Reg("is_idle_q", 1, hdl.ResetTo(0))
	waits := m.Let("waits_alone", alone.Or(crosses).And(idle.Not()))
	passes := m.Let("passes", hdl.AllOf(task.Valid, next.Room, waits.Not()))
	task.Accept(m, passes)
	next.Drive(passes, task.Data)
	m.OnClock(hdl.If(passes, alone.Set(crosses)), idle.Set(clear.And(passes.Or(tasks.Sink().Valid).Not())))
	m.Unused("what crosses is alone from here on", tasks.Sink().Data.Side.(*taskSide).Crosses)
	return accepted, clear
}
