package rnic

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// lane is one stream of the device: the layout of its packed beat, and beats queued for input.
type lane struct {
	name   string
	stream int
	words  int
	fields map[string]simulator.Field // by name without the stream's prefix
	queued []uint64
	buffer []uint64
}

func newLane(d *simulator.Design, name string) (lane, error) {
	i, err := d.Stream(name)
	if err != nil {
		return lane{}, err
	}
	layout, err := d.Layout(i)
	if err != nil {
		return lane{}, err
	}
	l := lane{name: name, stream: i, words: layout.Words, fields: map[string]simulator.Field{}, buffer: make([]uint64, 64*layout.Words)}
	for j, port := range d.Streams[i].Fields {
		l.fields[strings.TrimPrefix(strings.TrimPrefix(port, name), "_")] = layout.Fields[j]
	}
	return l, nil
}

// field panics if there is no such field: all names are constants of this program.
func (l *lane) field(name string) simulator.Field {
	f, is := l.fields[name]
	if !is {
		panic(fmt.Sprintf("stream %s has no field %s", l.name, name))
	}
	return f
}

func (l *lane) get(beat []uint64, name string) uint64 {
	f := l.field(name)
	return simulator.Bits(beat, f.Offset, f.Width)
}

func (l *lane) flag(beat []uint64, name string) bool { return l.get(beat, name) != 0 }

func (l *lane) set(beat []uint64, name string, v uint64) {
	f := l.field(name)
	simulator.SetBits(beat, f.Offset, f.Width, v)
}

func (l *lane) setFlag(beat []uint64, name string, on bool) {
	if on {
		l.set(beat, name, 1)
	}
}

// grow queues a beat of zeros.
func (l *lane) grow() []uint64 {
	at := len(l.queued)
	for range l.words {
		l.queued = append(l.queued, 0)
	}
	return l.queued[at:]
}

// appendSegment queues the beats of a segment; an empty one is a last beat without octets.
func (l *lane) appendSegment(stream uint32, octets []byte) {
	data, keep := l.field("tdata"), l.field("tkeep")
	for first := true; first || len(octets) > 0; first = false {
		n := min(len(octets), keep.Width)
		beat := l.grow()
		for i := 0; i < n; i += 8 {
			var word [8]byte
			copy(word[:], octets[i:n])
			simulator.SetBits(beat, data.Offset+8*i, min(64, data.Width-8*i), binary.LittleEndian.Uint64(word[:]))
		}
		for i := 0; i < n; i += 64 {
			simulator.SetBits(beat, keep.Offset+i, min(64, n-i), ^uint64(0))
		}
		octets = octets[n:]
		l.setFlag(beat, "tlast", len(octets) == 0)
		l.set(beat, "tuser", uint64(stream))
	}
}

// octets appends the octets of a beat.
func (l *lane) octets(to []byte, beat []uint64) []byte {
	data, keep := l.field("tdata"), l.field("tkeep")
	n := 0
	for n < keep.Width && simulator.Bits(beat, keep.Offset+n, 1) == 1 {
		n++
	}
	for i := 0; i < n; i += 8 {
		var word [8]byte
		binary.LittleEndian.PutUint64(word[:], simulator.Bits(beat, data.Offset+8*i, min(64, data.Width-8*i)))
		to = append(to, word[:min(8, n-i)]...)
	}
	return to
}

// push passes queued beats to the engine, as many as fit.
func (l *lane) push(e simulator.Engine) error {
	if len(l.queued) == 0 {
		return nil
	}
	n, err := e.Push(l.stream, l.queued)
	l.queued = l.queued[:copy(l.queued, l.queued[n*l.words:])]
	return err
}

// pop takes all beats out.
func (l *lane) pop(e simulator.Engine, each func(beat []uint64)) error {
	return l.popStamped(e, new([]uint64), each)
}

// popStamped also appends the cycles of the beats, unless stamps is nil.
func (l *lane) popStamped(e simulator.Engine, stamps *[]uint64, each func(beat []uint64)) error {
	var cycles []uint64
	if *stamps != nil {
		cycles = make([]uint64, len(l.buffer)/l.words)
	}
	for {
		n, err := e.Pop(l.stream, l.buffer, cycles)
		if err != nil || n == 0 {
			return err
		}
		for i := range n {
			each(l.buffer[i*l.words : (i+1)*l.words])
		}
		if cycles != nil {
			*stamps = append(*stamps, cycles[:n]...)
		}
	}
}
