package falcon

// restSteps is the number of steps for which a pair rests before it is opened again: inputs on their way into a device count as in progress.
const restSteps = 8

// lingerSteps is how many steps pass until the host of a QP hears that the other QP of its pair is in Error.
const lingerSteps = 200

// follow moves the other QP of a pair that has failed to Error: without more receives it would respond to the remaining requests with RNR forever.
func (p *pair) follow() error {
	if !p.failed || !p.quiet() || p.service != ownReceives {
		return nil
	}
	if p.lingers++; p.lingers != lingerSteps {
		return nil
	}
	for end, s := range p.side {
		if !s.ended {
			if err := p.ends[end].Fail(p.qp[end]); err != nil {
				return err
			}
		}
	}
	return nil
}

// reopen sets up failed pairs again once nothing of them is in progress.
func (w *world) reopen() error {
	for _, p := range w.pairs {
		if !p.failed || !p.quiet() || !w.fabric.Idle(0, p.cid[0]) {
			p.rests = 0
			if err := p.follow(); err != nil {
				return err
			}
		} else if p.rests++; p.rests > restSteps {
			w.Reopened++
			if err := p.compare(); err != nil {
				return err
			}
			if err := p.prepare(); err != nil {
				return err
			}
		}
	}
	return nil
}
