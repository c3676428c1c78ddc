package cosim

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/rnicgen/rnicgen/cosim/simulator"
)

// Lane is one stream of the device: the layout of its packed beat, and beats queued for input.
type Lane struct {
	name   string
	Stream int
	Words  int                        // of a beat
	fields map[string]simulator.Field // by name without the stream's prefix
	Queued []uint64
	buffer []uint64
}

func NewLane(d *simulator.Design, name string) (Lane, error) {
	i, err := d.Stream(name)
	if err != nil {
		return Lane{}, err
	}
	layout, err := d.Layout(i)
	if err != nil {
		return Lane{}, err
	}
	l := Lane{name: name, Stream: i, Words: layout.Words, fields: map[string]simulator.Field{}, buffer: make([]uint64, 64*layout.Words)}
	for j, port := range d.Streams[i].Fields {
		l.fields[strings.TrimPrefix(strings.TrimPrefix(port, name), "_")] = layout.Fields[j]
	}
	return l, nil
}

// Field panics if there is no such field: all names are constants of this program.
func (l *Lane) Field(name string) simulator.Field {
	f, is := l.fields[name]
	if !is {
		panic(fmt.Sprintf("stream %s has no field %s", l.name, name))
	}
	return f
}

func (l *Lane) Get(beat []uint64, name string) uint64 {
	f := l.Field(name)
	return simulator.Bits(beat, f.Offset, f.Width)
}

func (l *Lane) Flag(beat []uint64, name string) bool { return l.Get(beat, name) != 0 }

func (l *Lane) Set(beat []uint64, name string, v uint64) {
	f := l.Field(name)
	simulator.SetBits(beat, f.Offset, f.Width, v)
}

func (l *Lane) SetFlag(beat []uint64, name string, on bool) {
	if on {
		l.Set(beat, name, 1)
	}
}

// Grow queues a beat of zeros.
func (l *Lane) Grow() []uint64 {
	at := len(l.Queued)
	for range l.Words {
		l.Queued = append(l.Queued, 0)
	}
	return l.Queued[at:]
}

// Append queues the beats of a packet; an empty one is a last beat without octets. side sets what its beats have beside.
func (l *Lane) Append(octets []byte, side func(beat []uint64)) {
	data, keep := l.Field("tdata"), l.Field("tkeep")
	for first := true; first || len(octets) > 0; first = false {
		n := min(len(octets), keep.Width)
		beat := l.Grow()
		for i := 0; i < n; i += 8 {
			var word [8]byte
			copy(word[:], octets[i:n])
			simulator.SetBits(beat, data.Offset+8*i, min(64, data.Width-8*i), binary.LittleEndian.Uint64(word[:]))
		}
		for i := 0; i < n; i += 64 {
			simulator.SetBits(beat, keep.Offset+i, min(64, n-i), ^uint64(0))
		}
		octets = octets[n:]
		l.SetFlag(beat, "tlast", len(octets) == 0)
		side(beat)
	}
}

// Octets appends the octets of a beat.
func (l *Lane) Octets(to []byte, beat []uint64) []byte {
	data, keep := l.Field("tdata"), l.Field("tkeep")
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

// Push passes queued beats to the engine, as many as fit.
func (l *Lane) Push(e simulator.Engine) error {
	if len(l.Queued) == 0 {
		return nil
	}
	n, err := e.Push(l.Stream, l.Queued)
	l.Queued = l.Queued[:copy(l.Queued, l.Queued[n*l.Words:])]
	return err
}

// Pop takes all beats out.
func (l *Lane) Pop(e simulator.Engine, each func(beat []uint64)) error {
	return l.PopStamped(e, new([]uint64), each)
}

// PopStamped also appends the cycles of the beats, unless stamps is nil.
func (l *Lane) PopStamped(e simulator.Engine, stamps *[]uint64, each func(beat []uint64)) error {
	var cycles []uint64
	if *stamps != nil {
		cycles = make([]uint64, len(l.buffer)/l.Words)
	}
	for {
		n, err := e.Pop(l.Stream, l.buffer, cycles)
		if err != nil || n == 0 {
			return err
		}
		for i := range n {
			each(l.buffer[i*l.Words : (i+1)*l.Words])
		}
		if cycles != nil {
			*stamps = append(*stamps, cycles[:n]...)
		}
	}
}
