package main

// limit is a configuration at a bound of its parameters, with the flags of its run.
type limit struct {
	name   string
	shows  string
	config string
	args   []string
	alone  bool // needs much memory
}

// file returns the name of the configuration file.
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

// limits are the largest and smallest parameter values, each alone and all together.
var limits = []limit{
	{name: "streams", shows: "16,384 streams", config: "streams: 16384\n"},
	{name: "streams-few", shows: "16,384 streams, 16 of them in use", config: "streams: 16384\n", args: []string{"--active-streams", "16"}},
	{name: "stags-least", shows: "16 STags for 16,384 streams", config: "streams: 16384\nstags: 16\n"},
	{name: "stags", shows: "65,536 STags", config: "stags: 65536\n"},
	{name: "ird", shows: "IRD 1,024", config: "ird: 1024\n"},
	{name: "ord", shows: "ORD 1,024", config: "ord: 1024\n"},
	{name: "receive", shows: "1,024 receive requests per stream", config: "receive_depth: 1024\n"},
	{name: "send", shows: "1,024 work requests per stream", config: "send_depth: 1024\n"},
	{name: "payload", shows: "16,384 octets of payload per segment", config: "max_payload: 16384\n"},
	{name: "atomics", shows: "4,096 atomics in flight", config: "atomic_depth: 4096\n"},
	{name: "far", shows: "far memory in every second page", config: "far_memory_bit: 12\n"},
	{name: "far-top", shows: "far memory in the upper half of addresses", config: "far_memory_bit: 63\nbus_bytes: 8\n"},
	{name: "bus", shows: "a 128-octet bus", config: "bus_bytes: 128\n"},
	{name: "least", shows: "all minima", config: "streams: 2\nstags: 16\nird: 1\nord: 2\nreceive_depth: 2\nsend_depth: 2\nmax_payload: 256\natomic_depth: 4\nbus_bytes: 8\n"},
	{name: "all", shows: "all maxima, all streams in use; needs 5 GB of memory", config: allLimits, alone: true},
	{name: "all-few", shows: "all maxima, 16 streams in use; needs 5 GB of memory", config: allLimits, args: []string{"--active-streams", "16"}, alone: true},
}
