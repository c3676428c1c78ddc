package falcon

// SetNumbers lets every next SN and RMSN be n, as after a host has loaded the contexts of QPs and connections that
// have exchanged requests before. It is called before the first request.
func (e *Engine) SetNumbers(n uint32) {
	for _, c := range e.connections {
		c.setNumber(n)
	}
	for _, q := range e.qps {
		q.setNumber(n)
	}
}

// SetNumber is SetNumbers for a QP and its connection.
func (e *Engine) SetNumber(number, n uint32) {
	q := e.qps[number]
	q.setNumber(n)
	if q.conn != nil {
		q.conn.setNumber(n)
	}
}

func (c *connection) setNumber(n uint32) { c.sn, c.arrived = n, window{next: n} }

func (q *qp) setNumber(n uint32) {
	q.sendRMSN, q.pullRMSN, q.nextReceive, q.over, q.pulled = n, n, n, window{next: n}, window{next: n}
}
