package enginetest

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/cosim/simulator/internal/testdesign"
)

// memoryRig is a design connected to a memory "memory".
type memoryRig struct {
	*rig
	memory simulator.Memory
	bytes  int
}

func (open Open) startMemory(t *testing.T, d *simulator.Design, o simulator.Options) *memoryRig {
	t.Helper()
	r := open.start(t, d, o)
	m, err := r.Memory("memory")
	require.NoError(t, err)
	return &memoryRig{r, m, d.Memories[0].Bytes}
}

// latency makes every burst take between least and most cycles.
func (r *memoryRig) latency(least, most uint64) {
	r.t.Helper()
	l := simulator.Latency{Least: least, Most: most}
	require.NoError(r.t, r.memory.SetLatency(l, l))
}

// stallAll stalls the channels of the memory.
func (r *memoryRig) stallAll(s simulator.Stall) {
	r.t.Helper()
	for i, stream := range r.d.Streams {
		if r.d.MemoryOf(i) >= 0 {
			require.NoError(r.t, r.SetStall(i, s), stream.Name)
		}
	}
}

func (r *memoryRig) write(address uint64, bytes []byte) {
	r.t.Helper()
	require.NoError(r.t, r.memory.Write(address, bytes))
}

func (r *memoryRig) read(address uint64, n int) []byte {
	r.t.Helper()
	bytes := make([]byte, n)
	require.NoError(r.t, r.memory.Read(address, bytes))
	return bytes
}

// effects takes all logged effects.
func (r *memoryRig) effects() (all []simulator.Effect) {
	r.t.Helper()
	some := make([]simulator.Effect, 7)
	for {
		n, err := r.memory.Effects(some)
		require.NoError(r.t, err)
		if all = append(all, some[:n]...); n < len(some) {
			return all
		}
	}
}

// field finds a field of a stream by the end of its port's name.
func (r *memoryRig) field(stream, name string) (simulator.Field, int) {
	r.t.Helper()
	i, words := r.stream(stream)
	layout, err := r.d.Layout(i)
	require.NoError(r.t, err)
	for j, f := range r.d.Streams[i].Fields {
		if strings.TrimPrefix(strings.TrimPrefix(f, stream), "_") == name {
			return layout.Fields[j], words
		}
	}
	require.Fail(r.t, "no field", "%s of %s", name, stream)
	return simulator.Field{}, 0
}

// beat is a beat of a stream: values by field name. Missing fields are 0.
type beat map[string]uint64

// send pushes beats, which must fit.
func (r *memoryRig) send(stream string, beats ...beat) {
	r.t.Helper()
	for _, b := range beats {
		_, words := r.stream(stream)
		packed := make([]uint64, words)
		for name, value := range b {
			f, _ := r.field(stream, name)
			simulator.SetBits(packed, f.Offset, min(64, f.Width), value)
		}
		require.Empty(r.t, r.push(stream, packed))
	}
}

// ask pushes an address into s_aw or s_ar.
func (r *memoryRig) ask(stream string, id, address uint64, beats int) {
	r.t.Helper()
	r.send(stream, beat{"id": id, "addr": address, "len": uint64(beats - 1), "size": log2(r.bytes), "burst": 1})
}

func log2(n int) (shift uint64) {
	for ; n > 1; n /= 2 {
		shift++
	}
	return shift
}

// data pushes a burst into s_w; nil strobes write all bytes.
func (r *memoryRig) data(bytes []byte, strobes []bool) {
	r.t.Helper()
	data, words := r.field("s_w", "data")
	strb, _ := r.field("s_w", "strb")
	last, _ := r.field("s_w", "last")
	for at := 0; at < len(bytes); at += r.bytes {
		packed := make([]uint64, words)
		for i := range r.bytes {
			simulator.SetBits(packed, data.Offset+8*i, 8, uint64(bytes[at+i]))
			if strobes == nil || strobes[at+i] {
				simulator.SetBits(packed, strb.Offset+i, 1, 1)
			}
		}
		if at+r.bytes == len(bytes) {
			simulator.SetBits(packed, last.Offset, 1, 1)
		}
		require.Empty(r.t, r.push("s_w", packed))
	}
}

// delivered is a beat received on s_r.
type delivered struct {
	id, resp uint64
	last     bool
	bytes    []byte
	cycle    uint64
}

// taken pops all beats of s_r; the engine needs stamps.
func (r *memoryRig) taken() (list []delivered) {
	r.t.Helper()
	data, words := r.field("s_r", "data")
	id, _ := r.field("s_r", "id")
	resp, _ := r.field("s_r", "resp")
	last, _ := r.field("s_r", "last")
	beats, cycles := r.pop("s_r", true)
	for i, cycle := range cycles {
		b := beats[i*words : (i+1)*words]
		d := delivered{simulator.Bits(b, id.Offset, id.Width), simulator.Bits(b, resp.Offset, 2), simulator.Bits(b, last.Offset, 1) == 1, nil, cycle}
		for j := range r.bytes {
			d.bytes = append(d.bytes, byte(simulator.Bits(b, data.Offset+8*j, 8)))
		}
		list = append(list, d)
	}
	return list
}

// response is a beat of s_b.
type response struct{ id, resp, cycle uint64 }

func (r *memoryRig) responses() (list []response) {
	r.t.Helper()
	id, _ := r.field("s_b", "id")
	resp, _ := r.field("s_b", "resp")
	beats, cycles := r.pop("s_b", true)
	for i, cycle := range cycles {
		list = append(list, response{simulator.Bits(beats[i:i+1], id.Offset, id.Width), simulator.Bits(beats[i:i+1], resp.Offset, 2), cycle})
	}
	return list
}

// accepted takes the stamps of a stream.
func (r *memoryRig) accepted(stream string) (all []uint64) {
	r.t.Helper()
	i, _ := r.stream(stream)
	some := make([]uint64, 64)
	for {
		n, err := r.Accepted(i, some)
		require.NoError(r.t, err)
		if all = append(all, some[:n]...); n < len(some) {
			return all
		}
	}
}

// move makes a Mover copy a range. It reports whether the Mover received an error response.
func (r *memoryRig) move(from, to uint64, beats, burst int, id uint64) (failed bool) {
	r.t.Helper()
	r.send("s", beat{"from": from, "to": to, "beats": uint64(beats), "len": uint64(burst - 1), "id": id})
	require.Equal(r.t, simulator.Quiet, r.run(1<<20, 20).Why)
	done, _ := r.pop("m", false)
	require.Len(r.t, done, 1)
	return done[0] == 1
}

func randomBytes(random *rand.Rand, n int) []byte {
	bytes := make([]byte, n)
	for i := range bytes {
		bytes[i] = byte(random.Uint32())
	}
	return bytes
}

// fault sets the fault of a Mover.
func (r *memoryRig) fault(f testdesign.Fault) {
	r.t.Helper()
	require.NoError(r.t, r.SetStatic("fault", uint64(f)))
}
