package capture

import (
	"io"
	"net/netip"
	"os"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"

	"github.com/rnicgen/rnicgen/cosim/capture/roce"
)

// Capture is the content of a capture file, as far as this package understands it.
type Capture struct {
	File    string
	Packets int           // packets in the file
	Ignored int           // neither TCP nor RoCE v2, or incomplete: fragments, inconsistent lengths
	Streams []*Stream     // TCP connections, in the order of their first packets
	RoCE    *roce.Traffic // datagrams to UDP port 4791
}

// Open reads a capture file, pcap or pcapng.
func Open(path string) (*Capture, error) {
	const allowed = "a readable pcap or pcapng file"
	info, err := os.Stat(path)
	if err != nil {
		return nil, &InputError{File: path, Problem: "cannot be opened", Err: err, Allowed: allowed}
	}
	if info.IsDir() {
		return nil, &InputError{File: path, Problem: "is a directory", Allowed: allowed}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, &InputError{File: path, Problem: "cannot be read", Err: err, Allowed: allowed}
	}
	return parse(path, data)
}

// Read reads a capture from r. name is the file name in errors.
func Read(name string, r io.Reader) (*Capture, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, &InputError{File: name, Offset: int64(len(data)), Problem: "cannot be read", Err: err, Allowed: "a pcap or pcapng stream"}
	}
	return parse(name, data)
}

func parse(file string, data []byte) (*Capture, error) {
	c := &Capture{File: file, RoCE: &roce.Traffic{}}
	tcp := newConnections()
	err := eachPacket(file, data, func(p packet) {
		c.Packets++
		if !c.take(p, tcp) {
			c.Ignored++
		}
	})
	if err != nil {
		return nil, err
	}
	tcp.finish()
	for _, conn := range tcp.all {
		c.Streams = append(c.Streams, newStream(conn))
	}
	return c, nil
}

// take passes a packet to its transport; it returns false if the packet is of no interest.
func (c *Capture) take(p packet, tcp *connections) bool {
	decoded := gopacket.NewPacket(p.data, p.link, gopacket.DecodeOptions{Lazy: true, NoCopy: true})
	network, transport := decoded.NetworkLayer(), decoded.TransportLayer()
	if network == nil || transport == nil || decoded.Metadata().Truncated {
		return false
	}
	src, ok1 := netip.AddrFromSlice(network.NetworkFlow().Src().Raw())
	dst, ok2 := netip.AddrFromSlice(network.NetworkFlow().Dst().Raw())
	if !ok1 || !ok2 {
		return false
	}
	switch t := transport.(type) {
	case *layers.TCP:
		tcp.add(p.number, netip.AddrPortFrom(src, uint16(t.SrcPort)), netip.AddrPortFrom(dst, uint16(t.DstPort)), t, decoded.Metadata().CaptureInfo)
		return true
	case *layers.UDP:
		if t.DstPort == roce.Port {
			c.RoCE.Add(p.number, src, dst, t.Payload)
			return true
		}
	}
	return false
}
