package falcon

import (
	"strings"

	"github.com/rnicgen/rnicgen/gen/block"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
)

// requestRules say which work requests a QP may have: RoF 6.4.
type requestRules struct {
	Type   hdl.Value // QP type
	Single hdl.Value // a message that takes a receive has one packet
}

func requestRulesOf() requestRules { return requestRules{hdl.Bits(typeOfQPBits), hdl.Bits(1)} }

func rulesFor(s Connect) requestRules { return requestRules{s.Type, s.Single} }

// permission is what the rules of its QP say of a work request.
type permission struct {
	foreign *block.Signal // its opcode is of another service, or the QP sends no requests
	single  *block.Signal // it may have one packet, if it takes a receive
}

// permit looks the rules up; they are known in the stage postPlaced.
func (u *requests) permit(pipe *block.Pipeline, opcode opcode, w engine.TxMessage) permission {
	m := u.Module
	rules := hdl.LetOf(m, "rules", hdl.Unpack(requestRulesOf(), u.rules.ReadAlone("posted_rules", pipe.Valid(0), w.Stream)))
	var own []hdl.Value
	for _, t := range []spec.QPType{spec.QPRC, spec.QPUD, spec.QPXRCInitiator} {
		is := pipe.Holds("posted_"+strings.ToLower(t.Service().String()), 0, opcode.services[t.Service()])
		own = append(own, rules.Type.Is(uint64(t)).And(is.At(postPlaced)))
	}
	return permission{pipe.Signal("is_foreign", postPlaced, hdl.AnyOf(own...).Not()), pipe.Holds("is_single", postPlaced, rules.Single)}
}
