package gen_test

// axisBeat is one transfer of an AXI4-Stream; Tdata has the bus width, Tkeep a bit for each octet.
type axisBeat struct {
	Tdata, Tkeep []byte
	Tlast        bool
	Tuser        uint32
}

// beatsOf splits a segment into full beats and the rest. An empty segment is one beat without octets.
// Unused octets are zero.
func beatsOf(busBytes int, stream uint32, segment []byte) (beats []axisBeat) {
	for {
		n := min(busBytes, len(segment))
		b := axisBeat{Tdata: make([]byte, busBytes), Tkeep: make([]byte, busBytes/8), Tuser: stream}
		copy(b.Tdata, segment[:n])
		for i := range n {
			b.Tkeep[i/8] |= 1 << (i % 8)
		}
		segment = segment[n:]
		b.Tlast = len(segment) == 0
		beats = append(beats, b)
		if b.Tlast {
			return beats
		}
	}
}

// soiled puts noise in the unused octets, whose value AXI4-Stream leaves open.
func soiled(beats []axisBeat) []axisBeat {
	for _, b := range beats {
		for i := range b.Tdata {
			if b.Tkeep[i/8]>>(i%8)&1 == 0 {
				b.Tdata[i] = byte(0x5A + i)
			}
		}
	}
	return beats
}
