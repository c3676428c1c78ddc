package bench

// line is the network: it serves the peers in turn, beat by beat, so that a peer that sends long segments gets no more than another
// that always has something to send (deficit round robin).
type line struct {
	turn    int
	credits [isolationStreams]int // beats
}

// next chooses the party whose segment is sent next: beats are those of a party's next segment, 0 if it has none. The result is -1 if none has any.
func (l *line) next(parties int, beats func(party int) int) int {
	for idle := 0; idle < parties; {
		need := beats(l.turn)
		if need == 0 {
			l.credits[l.turn] = 0
			l.turn = (l.turn + 1) % parties
			idle++
			continue
		}
		idle = 0
		if l.credits[l.turn] >= need {
			p := l.turn
			l.credits[p] -= need
			l.turn = (p + 1) % parties
			return p
		}
		if l.credits[l.turn]++; l.credits[l.turn] < need {
			l.turn = (l.turn + 1) % parties
		}
	}
	return -1
}

func beatsOf(segment []byte) int { return max(1, (len(segment)+127)/128) }

// turns serves the streams of the host's ports in turn.
type turns struct{ turn int }

// next returns the next party with an item; -1: none.
func (t *turns) next(parties int, has func(party int) bool) int {
	for range parties {
		p := t.turn
		t.turn = (t.turn + 1) % parties
		if has(p) {
			return p
		}
	}
	return -1
}
