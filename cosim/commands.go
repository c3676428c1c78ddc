package cosim

import (
	"errors"
	"fmt"

	"github.com/rnicgen/rnicgen/cosim/simulator"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/model/memory"
)

// Commands gives a device the commands of its host, through registers by name.
type Commands struct {
	Port    *Registers
	Map     []engine.Register
	Engine  simulator.Engine
	Collect func() error // takes the output of the device meanwhile
}

// RegisterValue is a value for a register.
type RegisterValue struct {
	Name  string
	Value uint32
}

// ErrNoProgress reports a command that does not take effect.
var ErrNoProgress = errors.New("no progress")

// Write writes a register.
func (c Commands) Write(name string, value uint32) error {
	r, err := c.register(name)
	if err != nil {
		return err
	}
	return c.Port.Write(uint64(r.Offset), uint64(value))
}

// Read reads a register.
func (c Commands) Read(name string) (uint32, error) {
	r, err := c.register(name)
	if err != nil {
		return 0, err
	}
	value, err := c.Port.Read(uint64(r.Offset))
	return uint32(value), err
}

// patience is the number of cycles a command may wait: longer than the transmit side takes for the longest message ahead of it.
const patience = 4 << 20

// longestPause is the maximum number of cycles between two reads of the status while a command waits. After reset, sweeping the tables takes up to 65,536 cycles.
const longestPause = 128

// Do writes registers, the command last, and returns when it has taken effect: a device that cannot deliver its output makes no progress,
// so that is collected meanwhile.
func (c Commands) Do(list ...RegisterValue) error {
	writes := make([]Write, len(list))
	for i, v := range list {
		r, err := c.register(v.Name)
		if err != nil {
			return err
		}
		writes[i] = Write{Addr: uint64(r.Offset), Value: uint64(v.Value)}
	}
	if err := c.Port.WriteAll(writes...); err != nil {
		return err
	}
	for began, pause := c.Engine.Cycle(), uint64(1); c.Engine.Cycle()-began < patience; pause = min(2*pause, longestPause) {
		status, err := c.Read("status")
		if err != nil || status == 4 {
			return err
		}
		if _, err := c.Engine.Run(pause, 0); err != nil {
			return err
		}
		if err := c.Collect(); err != nil {
			return err
		}
	}
	return fmt.Errorf("%w: a command of %s waits for more than %d cycles", ErrNoProgress, list[len(list)-1].Name, patience)
}

func (c Commands) register(name string) (engine.Register, error) {
	for _, r := range c.Map {
		if r.Name == name {
			return r, nil
		}
	}
	return engine.Register{}, fmt.Errorf("there is no register %q", name)
}

// RegionValues describe a row of the STag table; RegionCommand stores it, or makes it invalid.
func RegionValues(index int, r memory.Region) []RegisterValue {
	access, owner := uint32(r.Key), uint32(r.Owner)
	for bit, right := range []memory.Rights{memory.LocalRead, memory.LocalWrite, memory.RemoteRead, memory.RemoteWrite, memory.RemoteAtomic, memory.Invalidate} {
		if r.Rights&right != 0 {
			access |= 1 << (8 + bit)
		}
	}
	if r.ByDomain {
		owner |= 1 << 16
	}
	return []RegisterValue{{"stag_index", uint32(index)}, {"stag_access", access}, {"stag_owner", owner},
		{"stag_base_low", uint32(r.Base)}, {"stag_base_high", uint32(r.Base >> 32)},
		{"stag_length_low", uint32(r.Length)}, {"stag_length_high", uint32(r.Length >> 32)},
		{"stag_address_low", uint32(r.Address)}, {"stag_address_high", uint32(r.Address >> 32)}}
}

// RegionCommand is the command for a row.
func RegionCommand(r memory.Region) RegisterValue {
	if r.Valid {
		return RegisterValue{"stag_command", 1}
	}
	return RegisterValue{"stag_command", 2}
}
