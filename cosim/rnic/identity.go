package rnic

import (
	"fmt"
	"maps"
	"slices"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/rdmap/spec"
)

// Identity lists the registers whose values follow from the configuration.
func Identity(c gen.Config) map[string]uint32 {
	var major, minor, patch uint32
	fmt.Sscanf(engine.Version, "%d.%d.%d", &major, &minor, &patch)
	features := uint32(1 << 1)
	if c.Draft00() {
		features |= 1
	}
	if c.Protocol()&spec.Commit != 0 {
		features |= 1 << 3
	}
	return map[string]uint32{"id": 0x524E4943, "version": major<<16 | minor<<8 | patch, "bus_bytes": uint32(c.BusBytes), "streams": uint32(c.Streams),
		"stags": uint32(c.STags), "ird": uint32(c.IRD), "ord": uint32(c.ORD), "receive_depth": uint32(c.ReceiveDepth), "send_depth": uint32(c.SendDepth),
		"max_payload": uint32(c.MaxPayload), "features": features}
}

// compareIdentity compares them.
func (n *Node) compareIdentity() error {
	want := Identity(n.config)
	for _, name := range slices.Sorted(maps.Keys(want)) {
		value, err := n.Device.ReadRegister(name)
		if err != nil {
			return err
		}
		n.checked.Registers++
		if value != want[name] {
			return n.differs(0, "register "+name, fmt.Sprint(value), fmt.Sprint(want[name]))
		}
	}
	return nil
}
