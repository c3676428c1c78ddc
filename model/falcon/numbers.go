package falcon

// SetNumbers lets every SN and RMSN that comes next be n, as after a host has loaded the contexts of QPs and connections that
// have exchanged requests before. It is called before the first request.
func (e *Engine) SetNumbers(n uint32) {
	for _, c := range e.connections {
		c.sn, c.arrived = n, window{next: n}
	}
	for _, q := range e.qps {
		q.sendRMSN, q.pullRMSN, q.nextReceive, q.over, q.pulled = n, n, n, window{next: n}, window{next: n}
	}
}
