package bench

// line is the network: it serves the peers in turn, beat by beat, so that a peer that sends long segments gets no more than another
// that always has something to send (deficit round robin).
type line struct {
	turn    int
	credits [isolationStreams]int // beats
}

// next chooses the party whose segment is sent next; nil: none has any.
func (l *line) next(parties []*party) *party {
	for idle := 0; idle < len(parties); {
		p := parties[l.turn]
		if len(p.segments) == 0 {
			l.credits[l.turn] = 0
			l.turn = (l.turn + 1) % len(parties)
			idle++
			continue
		}
		idle = 0
		if need := beatsOf(p.segments[0]); l.credits[l.turn] >= need {
			l.credits[l.turn] -= need
			l.turn = (l.turn + 1) % len(parties)
			return p
		}
		l.credits[l.turn]++
		if l.credits[l.turn] < beatsOf(p.segments[0]) {
			l.turn = (l.turn + 1) % len(parties)
		}
	}
	return nil
}

func beatsOf(segment []byte) int { return max(1, (len(segment)+127)/128) }

// turns serves the streams of the host's ports in turn.
type turns struct{ turn int }

func (t *turns) next(parties []*party, has func(*party) bool) *party {
	for range parties {
		p := parties[t.turn]
		t.turn = (t.turn + 1) % len(parties)
		if has(p) {
			return p
		}
	}
	return nil
}
