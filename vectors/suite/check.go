package suite

import (
	"fmt"
)

// FieldError is a suite that cannot be: where in the file, the value, and what is allowed.
type FieldError struct {
	Field   string
	Value   any
	Allowed string
}

func (e *FieldError) Error() string {
	return fmt.Sprintf("%s is %v; allowed: %s", e.Field, e.Value, e.Allowed)
}

func refuse(field string, value any, allowed string, values ...any) error {
	return &FieldError{field, value, fmt.Sprintf(allowed, values...)}
}

// Check looks for what a schema cannot say: that numbers point to what is there, and that no two tests of a group
// are in each other's way. The first thing found is the error, a FieldError or one of gen.Config's.
func (s *Suite) Check() error {
	if err := s.Config.Check(); err != nil {
		return err
	}
	if s.Profile != s.Config.Profile {
		return refuse("profile", s.Profile, "%s, the profile of config", s.Config.Profile)
	}
	seen := map[int]string{}
	for i := range s.Groups {
		at := fmt.Sprintf("groups/%d", i)
		if err := s.checkGroup(at, &s.Groups[i]); err != nil {
			return err
		}
		for j, t := range s.Groups[i].Tests {
			place := fmt.Sprintf("%s/tests/%d", at, j)
			if other, twice := seen[t.TcID]; twice {
				return refuse(place+"/tcId", t.TcID, "a number of its own; %s has this one", other)
			}
			seen[t.TcID] = place
		}
	}
	if len(seen) != s.NumberOfTests {
		return refuse("numberOfTests", s.NumberOfTests, "%d, the tests that are there", len(seen))
	}
	return nil
}

// owners are the streams and the words of a group, and which test uses each; 0 when none does so far.
type owners struct {
	streams map[uint32]int
	words   map[int]int
}

func (s *Suite) checkGroup(at string, g *Group) error {
	own := owners{map[uint32]int{}, map[int]int{}}
	for i, stream := range g.Streams {
		field := fmt.Sprintf("%s/streams/%d/stream", at, i)
		if int(stream.Stream) >= s.Config.Streams {
			return refuse(field, stream.Stream, "0 to %d", s.Config.Streams-1)
		}
		if _, twice := own.streams[stream.Stream]; twice {
			return refuse(field, stream.Stream, "each stream once")
		}
		own.streams[stream.Stream] = 0
	}
	r := &g.Regions[0]
	field := at + "/regions/0"
	if r.Words != s.Config.WindowWords {
		return refuse(field+"/words", r.Words, "%d, the window_words of config", s.Config.WindowWords)
	}
	if highest := ^uint64(0) - 8*uint64(r.Words) + 1; uint64(r.Base) > highest {
		return refuse(field+"/base", fmt.Sprintf("%016x", uint64(r.Base)), "at most %016x, so that no TO is above 2^64 - 1", highest)
	}
	for i, w := range r.Memory {
		field := fmt.Sprintf("%s/memory/%d/index", field, i)
		if w.Index < 0 || w.Index >= r.Words {
			return refuse(field, w.Index, "0 to %d", r.Words-1)
		}
		if _, twice := own.words[w.Index]; twice {
			return refuse(field, w.Index, "each word once")
		}
		own.words[w.Index] = 0
	}
	for i := range g.Tests {
		if err := s.checkTest(fmt.Sprintf("%s/tests/%d", at, i), &g.Tests[i], len(g.Tests) == 1, own); err != nil {
			return err
		}
	}
	return nil
}

func (s *Suite) checkTest(at string, t *Test, alone bool, own owners) error {
	for i, f := range t.Flags {
		if _, known := s.Notes[f]; !known {
			return refuse(fmt.Sprintf("%s/flags/%d", at, i), f, "a flag that notes explains")
		}
	}
	for i, w := range t.Memory {
		owner, known := own.words[w.Index]
		if !known || owner != 0 {
			return refuse(fmt.Sprintf("%s/memory/%d/index", at, i), w.Index, "a word of the group's region that no other test has")
		}
		own.words[w.Index] = t.TcID
	}
	for i, in := range t.Input {
		field := fmt.Sprintf("%s/input/%d", at, i)
		switch {
		case in.Port == PortReset && !alone:
			return refuse(field+"/port", in.Port, "a reset only in a group of one test")
		case len(in.Hex) > 65535:
			return refuse(field+"/hex", fmt.Sprintf("%d octets", len(in.Hex)), "0 to 65535 octets")
		case in.Port != PortRx && in.Port != PortSetup:
			continue
		}
		owner, known := own.streams[in.Stream]
		if !known || owner != 0 && owner != t.TcID {
			return refuse(field+"/stream", in.Stream, "a stream of the group that no other test has")
		}
		own.streams[in.Stream] = t.TcID
	}
	result := Valid
	for i, e := range t.Expect {
		if e.Input >= len(t.Input) {
			return refuse(fmt.Sprintf("%s/expect/%d/input", at, i), e.Input, "0 to %d", len(t.Input)-1)
		}
		if e.Record != nil && e.Record.Code != 0 {
			result = Error
		}
	}
	if t.Result != result {
		return refuse(at+"/result", t.Result, "%s, as its records say", result)
	}
	return nil
}
