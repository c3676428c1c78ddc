package sim

import (
	"fmt"
	"slices"
	"strings"
)

// Wave records signals at each clock edge and prints them as text, for tests with readable waveforms. A cycle takes four columns and shows the
// values that the registers sample at its end.
type Wave struct {
	lanes []lane
}

// lane is one signal with its value in each cycle.
type lane struct {
	Signal
	values [][]uint64
}

// NewWave records signals, given by their hierarchical names, from now on.
func NewWave(s *Sim, signals ...string) (*Wave, error) {
	w := &Wave{}
	for _, name := range signals {
		sig, err := s.Signal(name)
		if err != nil {
			return nil, err
		}
		w.lanes = append(w.lanes, lane{Signal: sig})
	}
	s.OnStep(func() {
		for i := range w.lanes {
			l := &w.lanes[i]
			v := make([]uint64, l.words)
			l.GetWords(v)
			l.values = append(l.values, v)
		}
	})
	return w, nil
}

// String prints a bit as a line that rises and falls, and a wider value in hexadecimal where it changes.
func (w *Wave) String() string {
	column := 0
	for _, l := range w.lanes {
		column = max(column, len(l.Name))
	}
	var b strings.Builder
	for _, l := range w.lanes {
		draw := l.drawBus
		if l.Width == 1 {
			draw = l.drawBit
		}
		for i, row := range draw() {
			name := l.Name
			if i != 1 {
				name = ""
			}
			b.WriteString(strings.TrimRight(fmt.Sprintf("%-*s  %s", column, name, row), " ") + "\n")
		}
	}
	return b.String()
}

const clockColumns = 4

// drawBit returns the upper edge, the middle and the lower edge of a line.
func (l lane) drawBit() [3]string {
	var rows [3]strings.Builder
	before := uint64(2)
	for _, v := range l.values {
		now := v[0]
		corners, edge := [3]string{" ", " ", " "}, [3]string{" ", " ", " "}
		edge[2-2*now] = "─"
		switch {
		case before == now || before == 2:
			corners = edge
		case now == 1:
			corners = [3]string{"┌", "│", "┘"}
		default:
			corners = [3]string{"┐", "│", "└"}
		}
		for i := range rows {
			rows[i].WriteString(corners[i] + strings.Repeat(edge[i], clockColumns-1))
		}
		before = now
	}
	return [3]string{rows[0].String(), rows[1].String(), rows[2].String()}
}

// drawBus returns a box per run of equal values, with the value in the middle row. A value longer than its box is truncated with a dot.
func (l lane) drawBus() [3]string {
	var rows [3]strings.Builder
	for i := 0; i < len(l.values); {
		n := 1
		for i+n < len(l.values) && slices.Equal(l.values[i], l.values[i+n]) {
			n++
		}
		room := n*clockColumns - 1
		text := shortHex(l.values[i])
		if len(text) > room {
			text = text[:room-1] + "."
		}
		corners := [3]string{"┬", "│", "┴"}
		if i == 0 {
			corners = [3]string{"┌", "│", "└"}
		}
		rows[0].WriteString(corners[0] + strings.Repeat("─", room))
		rows[1].WriteString(corners[1] + fmt.Sprintf("%-*s", room, text))
		rows[2].WriteString(corners[2] + strings.Repeat("─", room))
		i += n
	}
	return [3]string{rows[0].String(), rows[1].String(), rows[2].String()}
}

// shortHex is a value in hexadecimal without leading zeros.
func shortHex(words []uint64) string {
	text := ""
	for _, w := range words {
		text = fmt.Sprintf("%016x", w) + text
	}
	if text = strings.TrimLeft(text, "0"); text == "" {
		return "0"
	}
	return text
}
