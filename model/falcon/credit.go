package falcon

import "github.com/rnicgen/rnicgen/model/falcon/spec"

// Credits of Falcon's resources are counted three times: for a connection, for the function that it belongs to, and for the
// host (FTP 8.2.3). A transaction needs its cost of each. Datagrams need none.

// SetFunctionCredits limits what the connections of a function use together, SetHostCredits what all use. Without a call
// there is no limit. Both are called before the first transaction.
func (e *Engine) SetFunctionCredits(function uint16, c spec.Credits) { e.functions[function] = &c }

// SetHostCredits: see SetFunctionCredits.
func (e *Engine) SetHostCredits(c spec.Credits) { e.host = &c }

// counters are those that a connection's transactions are charged to.
func (e *Engine) counters(conn *connection) (list []*spec.Credits) {
	list = append(list, &conn.credits)
	if c := e.functions[conn.Function]; c != nil {
		list = append(list, c)
	}
	if e.host != nil {
		list = append(list, e.host)
	}
	return list
}

// affords reports whether every counter has the credits.
func (e *Engine) affords(conn *connection, c spec.Credits) bool {
	for _, counter := range e.counters(conn) {
		if counter.Sub(c).Negative() {
			return false
		}
	}
	return true
}

func (e *Engine) charge(conn *connection, c spec.Credits) {
	for _, counter := range e.counters(conn) {
		*counter = counter.Sub(c)
	}
}

// Return returns credits of a transaction of a connection.
func (e *Engine) Return(cid uint32, c spec.Credits) {
	for _, counter := range e.counters(e.connections[cid]) {
		*counter = counter.Add(c)
	}
}

// Credits returns the credits that a connection has left.
func (e *Engine) Credits(cid uint32) spec.Credits { return e.connections[cid].credits }

// SetXoff sets or clears Xoff, which stops requests but neither responses nor answers (I-76).
func (e *Engine) SetXoff(xoff bool) { e.xoff = xoff }

func (e *Engine) cost(t spec.PacketType, octets int) spec.Credits {
	return spec.Cost(t, octets, e.config.BufferOctets)
}
