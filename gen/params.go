package gen

import "github.com/rnicgen/rnicgen/hdl"

// numbers are those of the configuration that blocks are built for, in the order of the configuration.
func (c Config) numbers() []hdl.Param {
	return []hdl.Param{{Name: "bus_bytes", Value: c.BusBytes}, {Name: "streams", Value: c.Streams}, {Name: "stags", Value: c.STags},
		{Name: "ird", Value: c.IRD}, {Name: "ord", Value: c.ORD}, {Name: "receive_depth", Value: c.ReceiveDepth},
		{Name: "send_depth", Value: c.SendDepth}, {Name: "max_payload", Value: c.MaxPayload}, {Name: "atomic_depth", Value: c.AtomicDepth}}
}

// params are the numbers with these keys, in the order given.
func (c Config) params(keys ...string) (list []hdl.Param) {
	for _, key := range keys {
		for _, p := range c.numbers() {
			if p.Name == key {
				list = append(list, p)
			}
		}
	}
	return list
}

// profile is the protocol of the configuration.
func (c Config) profile() Profile { return rdmapProfile{draft00: c.Draft00()} }

// draft00 is the option of a block that executes Swap.
func (c Config) draft00() []string {
	if c.Draft00() {
		return []string{"draft00"}
	}
	return nil
}

// retire is the option of a block that reports what takes effect.
func (c Config) retire() []string {
	if c.RetirePort {
		return []string{"retire"}
	}
	return nil
}
