package falcon

import "github.com/rnicgen/rnicgen/model/falcon/spec"

// OpcodeOf is the opcode of a work request of a QP. A service without such an operation gets that of RC, or if there is none one without an
// operation: a device refuses both.
func OpcodeOf(service spec.Service, kind spec.Kind, suffix spec.Suffix) spec.Opcode {
	packet := spec.PushRequest
	if kind&(spec.Read|spec.Atomic) != 0 {
		packet = spec.PullRequest
	}
	for _, s := range []spec.Service{service, spec.RC} {
		if row := spec.Find(s, packet, kind, spec.Only, suffix); row != nil && row.Kind == kind {
			return row.Opcode
		}
	}
	return unassigned(service)
}

// unassigned is the first opcode of a service that has no operation.
func unassigned(service spec.Service) (o spec.Opcode) {
	for o = spec.Opcode(service) << 5; ; o++ {
		if _, known := o.Operation(); !known {
			return o
		}
	}
}
