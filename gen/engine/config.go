package engine

import "github.com/rnicgen/rnicgen/hdl"

// Version of the generator, in every manifest and in a register.
const Version = "0.2.0"

// Config is the configuration of an engine, shared by all its blocks.
type Config struct {
	Profile    Profile
	RetirePort bool // report each effect

	BusBytes     int // octets per beat
	Streams      int
	STags        int // rows of the STag table
	IRD          int // inbound Reads and Atomics per stream
	ORD          int // outbound Reads and Atomics per stream
	ReceiveDepth int // receive requests per stream
	SendDepth    int // work requests per stream
	MaxPayload   int // octets of payload per segment sent
	AtomicDepth  int // atomics in progress in memory
	FarBit       int // address bit that is 1 in far memory; 0 for none
}

// Numbers are all numeric parameters.
func (c Config) Numbers() []hdl.Param {
	list := []hdl.Param{{Name: "bus_bytes", Value: c.BusBytes}, {Name: "streams", Value: c.Streams}, {Name: "stags", Value: c.STags},
		{Name: "ird", Value: c.IRD}, {Name: "ord", Value: c.ORD}, {Name: "receive_depth", Value: c.ReceiveDepth},
		{Name: "send_depth", Value: c.SendDepth}, {Name: "max_payload", Value: c.MaxPayload}, {Name: "atomic_depth", Value: c.AtomicDepth}}
	if c.HasFar() {
		list = append(list, hdl.Param{Name: "far_memory_bit", Value: c.FarBit})
	}
	return list
}

// HasFar reports whether some memory is far: so slow that what it delivers must not be in the way of other memory.
func (c Config) HasFar() bool { return c.FarBit > 0 }

// Params are the parameters with these keys, in the order given.
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

// Retire is the option of blocks with a retire port.
func (c Config) Retire() []string {
	if c.RetirePort {
		return []string{"retire"}
	}
	return nil
}

// Revokes reports whether a request of the peer may invalidate an STag when it is done.
func (c Config) Revokes() bool {
	_, may := c.Profile.Revokes(InboundRequestOf(c))
	return may
}
