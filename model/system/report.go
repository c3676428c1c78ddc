package system

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// Report is the result of a run. All times are simulated.
type Report struct {
	Workload Workload `json:"workload"`
	Cycles   uint64   `json:"cycles"` // from the first transaction to the end of the last
	Seconds  float64  `json:"seconds"`
	Rows     []Row    `json:"rows"`
	Nodes    []Node   `json:"nodes"`
}

// Row is the transactions of a kind, or the operations of a kind, of a flow.
type Row struct {
	Flow           string  `json:"flow"`
	Name           string  `json:"name"`
	Operation      bool    `json:"operation"` // of transactions
	Count          uint64  `json:"count"`
	Retries        uint64  `json:"retries"`         // CmpSwaps that did not swap and were repeated
	PerMicrosecond float64 `json:"per_microsecond"` // of all nodes together
	Gbps           float64 `json:"gbps"`            // of payload
	Latency        Latency `json:"latency_ns"`

	// Of transactions, those of the flow together: Jain's index of the streams' rates, 1 if all are equal, and the rates, in
	// transactions in a microsecond.
	Fairness float64   `json:"fairness,omitempty"`
	Rates    []float64 `json:"-"`
}

// Latency is that of transactions or operations in nanoseconds, to within 1 %, the mean and the most exactly.
type Latency struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p999"`
	Most float64 `json:"max"`
}

// Node is what a node has done.
type Node struct {
	Traffic
	Transactions uint64  `json:"transactions"`  // that it began
	LinkBusy     float64 `json:"link_busy"`     // share of the time, up to the end of the last segment, in which its link carried what it sent
	Paused       float64 `json:"paused"`        // share of the time in which its link could not carry what it sent, for lack of room at the other end
	Pausing      float64 `json:"pausing"`       // share of the time in which the link to it could not, for lack of room in its RNIC
	QueueOctets  int     `json:"queue_octets"`  // the most that waited for the link to it
	Memory       string  `json:"memory_sha256"` // of its objects
}

func (s *System) report() *Report {
	r := &Report{Workload: s.workload}
	first, last := never, Cycle(0)
	rows := map[rowKey]*row{}
	for _, n := range s.nodes {
		first, last = min(first, n.record.start), max(last, n.record.last)
		for k, w := range n.record.rows {
			if rows[k] == nil {
				rows[k] = &row{cycles: hdrhistogram.New(1, mostCycles, digits)}
			}
			all := rows[k]
			all.count, all.octets, all.retries = all.count+w.count, all.octets+w.octets, all.retries+w.retries
			all.sum, all.most = all.sum+w.sum, max(all.most, w.most)
			all.cycles.Merge(w.cycles)
		}
	}
	if last > first {
		r.Cycles = last - first
	}
	r.Seconds = float64(r.Cycles) / float64(s.freq)
	rates := s.rates(first)
	for k, w := range rows {
		row := s.rowOf(k, w, r.Seconds)
		if !k.operation {
			row.Rates = rates[k.flow]
			row.Fairness = jain(row.Rates)
		}
		r.Rows = append(r.Rows, row)
	}
	order := map[string]int{}
	for i, f := range s.workload.Flows {
		order[f.Name] = i
	}
	place := func(r Row) int { // transactions of a flow, then its operations
		if r.Operation {
			return 2*order[r.Flow] + 1
		}
		return 2 * order[r.Flow]
	}
	slices.SortFunc(r.Rows, func(a, b Row) int { return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Name, b.Name)) })
	over := last // of what links carry, too
	for _, l := range s.lanes {
		over = max(over, upTo(l.sender.free))
	}
	for i, n := range s.nodes {
		r.Nodes = append(r.Nodes, s.nodeOf(i, n, over-min(first, over)))
	}
	return r
}

// rates returns the transactions of each stream of each flow in a microsecond, from the start to the end of its last one.
func (s *System) rates(start Cycle) map[string][]float64 {
	list := map[string][]float64{}
	for _, n := range s.nodes {
		for _, i := range n.host.initiators {
			rate := 0.0
			if i.last > start {
				rate = float64(i.ended) / float64(i.last-start) * float64(s.freq) / 1e6
			}
			list[i.flow.Name] = append(list[i.flow.Name], rate)
		}
	}
	return list
}

// jain is the fairness index of Jain, Chiu and Hawe: the square of the sum, over the number times the sum of the squares.
func jain(rates []float64) float64 {
	sum, squares := 0.0, 0.0
	for _, r := range rates {
		sum, squares = sum+r, squares+r*r
	}
	if squares == 0 {
		return 0
	}
	return sum * sum / (float64(len(rates)) * squares)
}

func (s *System) rowOf(k rowKey, w *row, seconds float64) Row {
	ns := func(cycles float64) float64 { return cycles * 1e9 / float64(s.freq) }
	at := func(percent float64) float64 { return ns(float64(w.cycles.ValueAtPercentile(percent))) }
	row := Row{Flow: k.flow, Name: k.name, Operation: k.operation, Count: w.count, Retries: w.retries,
		Latency: Latency{Mean: ns(w.sum / float64(w.count)), P50: at(50), P90: at(90), P99: at(99), P999: at(99.9), Most: ns(float64(w.most))}}
	if seconds > 0 {
		row.PerMicrosecond, row.Gbps = float64(w.count)/seconds/1e6, float64(8*w.octets)/seconds/1e9
	}
	return row
}

func (s *System) nodeOf(i int, n *node, cycles uint64) Node {
	out := Node{Traffic: n.nic.Traffic()}
	for _, c := range n.host.initiators {
		out.Transactions += uint64(c.ended)
	}
	// The first lane of a link is from the node, the second to it; between two nodes the second is that of the other node.
	from, to := s.lanes[0], s.lanes[1]
	if len(s.nodes) == 2 && i == 1 {
		from, to = to, from
	} else if len(s.nodes) > 2 {
		from, to = s.lanes[2*i], s.lanes[2*i+1]
	}
	if cycles > 0 {
		share := func(part float64) float64 { return part / float64(cycles) }
		out.LinkBusy, out.Paused, out.Pausing = share(from.sender.busy), share(float64(from.sender.stopped)), share(float64(to.sender.stopped))
	}
	out.QueueOctets = to.sender.most
	sum := sha256.New()
	for at := uint64(0); at < n.objects; at += 1 << 16 {
		sum.Write(n.read(targetAddress+at, int(min(1<<16, n.objects-at))))
	}
	out.Memory = hex.EncodeToString(sum.Sum(nil))
	return out
}
