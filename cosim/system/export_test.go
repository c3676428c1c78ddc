package system

import "github.com/rnicgen/rnicgen/model/system"

// Cycles returns how many cycles the hardware has run.
func Cycles(n system.NIC) uint64 { return n.(*rtl).port.eng.Cycle() }

// Queued returns how much has come out of the hardware and waits: segments, completions, ends of streams, reads and writes.
func Queued(n system.NIC) []int {
	r := n.(*rtl)
	return []int{len(r.device.(*iwarp).segments), len(r.completions), len(r.ended), len(r.port.reads.asked), len(r.port.writes.asked) + len(r.port.writes.early)}
}
