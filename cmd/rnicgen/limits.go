package main

// limit is a configuration at the end of what is allowed, with the traffic that it gets.
type limit struct {
	name   string
	says   string
	config string
	args   []string
	alone  bool // it takes much memory
}

// file is the name of its configuration's file.
func (l limit) file() string { return "limit-" + l.name + ".yaml" }

const allLimits = `streams: 16384
stags: 65536
ird: 1024
ord: 1024
receive_depth: 1024
send_depth: 1024
max_payload: 16384
atomic_depth: 4096
bus_bytes: 128
`

// limits are the greatest and the least numbers, each alone and all together.
var limits = []limit{
	{name: "streams", says: "16,384 streams", config: "streams: 16384\n"},
	{name: "streams-few", says: "16,384 streams, of which 16 are used", config: "streams: 16384\n", args: []string{"--active-streams", "16"}},
	{name: "stags-least", says: "16 STags for 16,384 streams", config: "streams: 16384\nstags: 16\n"},
	{name: "stags", says: "65,536 STags", config: "stags: 65536\n"},
	{name: "ird", says: "1,024 Reads and Atomics inbound", config: "ird: 1024\n"},
	{name: "ord", says: "1,024 Reads and Atomics outbound", config: "ord: 1024\n"},
	{name: "receive", says: "1,024 receive requests a stream", config: "receive_depth: 1024\n"},
	{name: "send", says: "1,024 work requests a stream", config: "send_depth: 1024\n"},
	{name: "payload", says: "16,384 octets of payload a segment", config: "max_payload: 16384\n"},
	{name: "atomics", says: "4,096 atomics under way", config: "atomic_depth: 4096\n"},
	{name: "bus", says: "a bus of 128 octets", config: "bus_bytes: 128\n"},
	{name: "least", says: "the least of everything", config: "streams: 2\nstags: 16\nird: 1\nord: 2\nreceive_depth: 2\nsend_depth: 2\nmax_payload: 256\natomic_depth: 4\nbus_bytes: 8\n"},
	{name: "all", says: "the most of everything, on all streams; 5 GB of memory", config: allLimits, alone: true},
	{name: "all-few", says: "the most of everything, on 16 streams; 5 GB of memory", config: allLimits, args: []string{"--active-streams", "16"}, alone: true},
}
