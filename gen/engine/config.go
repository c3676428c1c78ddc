package engine

import "github.com/rnicgen/rnicgen/hdl"

// Version of the generator; it is part of every manifest, and in a register.
const Version = "0.2.0"

// EngineConfig is what the blocks of an engine are built for.
type Config struct {
	Profile    Profile
	RetirePort bool // report what takes effect

	BusBytes     int // octets of a beat
	Streams      int
	STags        int // rows of the STag table
	IRD          int // inbound Reads and Atomics per stream
	ORD          int // outbound Reads and Atomics per stream
	ReceiveDepth int // receive requests per stream
	SendDepth    int // work requests per stream
	MaxPayload   int // octets of payload per segment sent
	AtomicDepth  int // atomics under way in memory
}

// Numbers are those of the configuration that blocks are built for.
func (c Config) Numbers() []hdl.Param {
	return []hdl.Param{{Name: "bus_bytes", Value: c.BusBytes}, {Name: "streams", Value: c.Streams}, {Name: "stags", Value: c.STags},
		{Name: "ird", Value: c.IRD}, {Name: "ord", Value: c.ORD}, {Name: "receive_depth", Value: c.ReceiveDepth},
		{Name: "send_depth", Value: c.SendDepth}, {Name: "max_payload", Value: c.MaxPayload}, {Name: "atomic_depth", Value: c.AtomicDepth}}
}

// Params are the numbers with these keys, in the order given.
func (c Config) Params(keys ...string) (list []hdl.Param) {
	for _, key := range keys {
		for _, p := range c.Numbers() {
			if p.Name == key {
				list = append(list, p)
			}
		}
	}
	return list
}

// Retire is the option of a block that reports what takes effect.
func (c Config) Retire() []string {
	if c.RetirePort {
		return []string{"retire"}
	}
	return nil
}
