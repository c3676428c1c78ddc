package prove

import "github.com/rnicgen/rnicgen/gen"

// Configs are the configurations whose blocks are proven: both tops, small, with and without draft00.
func Configs() []gen.Config {
	rnic := gen.Config{Top: gen.TopRNIC, Profile: "rdmap", Extensions: []string{}, BusBytes: 8, Streams: 4, RetirePort: true,
		STags: 16, IRD: 2, ORD: 2, ReceiveDepth: 2, SendDepth: 2, MaxPayload: 256, AtomicDepth: 4}
	atomics := gen.Config{Top: gen.TopAtomics, Profile: "rdmap", Extensions: []string{}, BusBytes: 8, Streams: 2, RetirePort: true, WindowWords: 2}
	out := []gen.Config{rnic, atomics}
	for _, c := range []gen.Config{rnic, atomics} {
		c.Extensions = []string{"draft00"}
		out = append(out, c)
	}
	return out
}
