package rnic

import "github.com/rnicgen/rnicgen/cosim/simulator"

// Stall sets how often a stream of the device is stalled, from the next cycle on; port is its name, such as m_axis_tx.
func (d *Device) Stall(port string, s simulator.Stall) error {
	i, err := d.design.Stream(port)
	if err != nil {
		return err
	}
	return d.eng.SetStall(i, s)
}
