package system

import (
	"fmt"

	"github.com/rnicgen/rnicgen/model/memory"
)

// scope records when beats pass the ports of hardware with ideal memory. Memory answers a read or a write of a line a fixed number of
// cycles after its beat; it takes one of each in every cycle.
type scope struct {
	port    *port
	step    func() error // runs a cycle, between before and after
	watched []string     // the streams in the log
	silence uint64       // cycles without a beat, after which nothing is in progress
	latency uint64
	memory  *memory.Space
	due     []answer // in order
	now     uint64
	passed  map[string]uint64   // beats, by stream
	log     map[string][]uint64 // cycles of beats, by stream
}

// answer is of memory.
type answer struct {
	at    uint64
	read  *read
	write *write
}

// defaultLatency is that of a scope's memory, in cycles.
const defaultLatency = 40

// newScope returns a scope; 0 is the default latency.
func newScope(p *port, latency, silence uint64, watched []string) *scope {
	s := &scope{port: p, watched: watched, silence: silence, latency: latency, memory: memory.NewSpace(), passed: map[string]uint64{}}
	if s.latency == 0 {
		s.latency = defaultLatency
	}
	return s
}

// clear empties the log.
func (s *scope) clear() error {
	s.log = map[string][]uint64{}
	for _, name := range s.watched {
		stats, err := s.port.stats(name)
		if err != nil {
			return err
		}
		s.passed[name] = stats.Beats
	}
	return nil
}

// before lets memory answer what is due in a cycle.
func (s *scope) before() {
	for len(s.due) > 0 && s.due[0].at <= s.now {
		if a := s.due[0]; a.read != nil {
			a.read.octets = make([]byte, s.port.reads.bus)
			s.memory.Read(a.read.address, a.read.octets)
		} else {
			s.memory.Write(a.write.address, a.write.octets)
			s.port.writes.answer(a.write)
		}
		s.due = s.due[1:]
	}
}

// after logs the beats of a cycle and lets memory take accesses.
func (s *scope) after() error {
	for _, name := range s.watched {
		stats, err := s.port.stats(name)
		if err != nil {
			return err
		}
		if stats.Beats > s.passed[name] {
			s.log[name] = append(s.log[name], s.now)
		}
		s.passed[name] = stats.Beats
	}
	if r := s.port.reads.next(); r != nil {
		s.due = append(s.due, answer{at: s.now + s.latency, read: r})
		s.port.reads.sent()
	}
	if w := s.port.writes.next(); w != nil {
		s.due = append(s.due, answer{at: s.now + s.latency, write: w})
		s.port.writes.sent()
	}
	s.now++
	return nil
}

// run runs cycles.
func (s *scope) run(cycles uint64) error {
	for range cycles {
		if err := s.step(); err != nil {
			return err
		}
	}
	return nil
}

// patience is the number of cycles that a beat may take.
const patience = 100_000

// until runs until a stream has passed a number of beats since the log is empty.
func (s *scope) until(stream string, beats int) error {
	for range patience {
		if len(s.log[stream]) >= beats {
			return nil
		}
		if err := s.step(); err != nil {
			return err
		}
	}
	return fmt.Errorf("%s passes %d beats instead of %d", stream, len(s.log[stream]), beats)
}

// settle runs until nothing is in progress; waiting counts what has not been passed to the hardware.
func (s *scope) settle(waiting func() int) error {
	for quiet := uint64(0); quiet < s.silence; quiet++ {
		before := s.beats()
		if err := s.step(); err != nil {
			return err
		}
		if before != s.beats() || len(s.due)+waiting() > 0 {
			quiet = 0
		}
	}
	return nil
}

func (s *scope) beats() (beats uint64) {
	for _, n := range s.passed {
		beats += n
	}
	return beats
}

// first and last return the cycle of a beat in the log, and -1 without one.
func (s *scope) first(stream string) int { return s.at(stream, 0) }

func (s *scope) last(stream string) int { return s.at(stream, len(s.log[stream])-1) }

func (s *scope) at(stream string, i int) int {
	if i < 0 || i >= len(s.log[stream]) {
		return -1
	}
	return int(s.log[stream][i])
}

// perMessage returns the cycles per message on a stream, from the end of the first message to that of the last.
func (s *scope) perMessage(stream string, messages int) float64 {
	beats := len(s.log[stream]) / messages
	if beats == 0 || messages == 1 {
		return 0
	}
	return float64(s.last(stream)-s.at(stream, beats-1)) / float64(messages-1)
}
