package falcon

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rnicgen/rnicgen/model/falcon/packet"
	"github.com/rnicgen/rnicgen/model/falcon/spec"
	"github.com/rnicgen/rnicgen/vectors/falcon/suite"
)

// rowOf is the requirement of the table of RoF 8.1.3 for each opcode; XRC has none there (I-28).
func rowOf(opcode uint8) string {
	switch {
	case opcode <= readResponseOnly:
		return fmt.Sprintf("8.1.3-%02d", opcode+2)
	case opcode <= sendOnlyInvalidate:
		return fmt.Sprintf("8.1.3-%02d", opcode+2)
	case opcode>>5 == 0b011:
		return fmt.Sprintf("8.1.3-%02d", opcode-0x64+28)
	}
	return "8.3.9-04"
}

// byHeader lists the requirements that a packet with a header shows.
var byHeader = map[spec.Header][]string{
	spec.RBTH: {"8.1.3-01", "8.2-01", "8.2-22", "8.2-23", "8.3-01"},
	spec.RETH: {"8.3.1-01", "8.3.1-02", "8.3.1-03", "8.3.1-04", "8.3.1-05"}, spec.SETH: {"8.3.2-01", "8.3.2-02"}, spec.OETH: {"8.3.3-01", "8.3.3-02"},
	spec.STETH: {"8.3.4-01", "8.3.4-02", "8.3.4-03"}, spec.ImmDt: {"8.3.5-01", "8.3.5-02", "8.3.5-03"},
	spec.AtomicETH:    {"8.3.6-01", "8.3.6-02", "8.3.6-03", "8.3.6-04", "8.3.6-05", "8.3.6-06"},
	spec.AtomicAckETH: {"8.3.7-01", "8.3.7-02", "8.3.7-03"}, spec.IETH: {"8.3.8-01", "8.3.8-02", "8.3.8-03"},
	spec.XRCETH: {"8.3.9-03", "8.3.9-04"}, spec.DETH: {"8.3.10-01", "8.3.10-04", "8.3.10-05"},
}

// byReply lists the requirements that a reply shows; of CIE and NRE those of their ULP code too.
var byReply = map[string][]string{
	"rnr": {"6.3-09", "FTP-6.4-01", "FTP-7.8-02", "FTP-7.8-07", "FTP-8.5.3.4-01", "FTP-8.5.3.4-04"},
	"cie": {"6.3-03", "FTP-6.4-04", "FTP-6.4-06", "FTP-7.8-04", "FTP-7.8-08", "FTP-8.5.3.5-01", "FTP-8.5.3.5-03"},
	"nre": {"FTP-7.8-05", "FTP-7.8-08"}, "cid": {"FTP-7.8-06"},
	"ack": {"7.2-06"},
}

// byRule lists the requirements that a broken rule shows in addition to those of its reply.
var byRule = map[spec.Rule][]string{
	spec.ShortPacket: {"6.3-10"}, spec.UnknownQP: {"6.3-10", "8.2-23"}, spec.WrongCID: {"6.9-02"}, spec.WrongVersion: {"8.2-13"},
	spec.QPInError: {"6.3-12"}, spec.BehindRNR: {"FTP-8.5.3.4-02"}, spec.BadOpcode: {"6.3-14", "8.1.3-32"}, spec.ShortHeaders: {"6.3-14"}, spec.BadRMSN: {"6.3-14"},
	spec.SNGap: {"6.3-08", "8.2-24"}, spec.SNRepeated: {"6.3-08", "8.2-24"}, spec.BadQKey: {"6.3-13", "8.3.10-07", "8.3.10-08"}, spec.OutOfPlace: {"6.3-14", "6.7-25"},
	spec.UnknownSRQ: {"8.3.9-06"}, spec.BadOffset: {"8.3.3-06"}, spec.TooLong: {"8.3.3-07"}, spec.ReceiveBuffer: {"6.3-06"},
	spec.RKeyUnknown: {"8.3.1-08"}, spec.RKeyOwner: {"8.3.1-08"}, spec.RKeyRight: {"8.3.1-08"}, spec.Incomplete: {"8.2-27"},
	spec.ResponseCE: {"8.2-15"}, spec.ResponseSink: {"8.3.4-08"}, spec.NotOutstanding: {"6.9-06"},
}

// byCode lists the requirement of each completion code of FTP 11.
var byCode = map[int]string{0: "01", 1: "02", 3: "03", 4: "04", 8: "05", 9: "06", 0xA: "07", 0xB: "08", 0xC: "09", 0xD: "10", 0xF: "11"}

// Cited returns the requirements that a test shows.
func Cited(one *Case, t *suite.Test, order spec.BitOrder) []string {
	cites := slices.Clone(one.Cites)
	for i := range t.Steps {
		cites = append(cites, citedBy(&t.Steps[i], one.World, order)...)
	}
	for i := range cites {
		cites[i] = Prefix + cites[i]
	}
	slices.Sort(cites)
	return slices.Compact(cites)
}

func citedBy(s *suite.Step, w world, order spec.BitOrder) (cites []string) {
	rule := ruleOf(s.Breaks)
	class := rule.Row().Class
	show := func(octets []byte, good bool) {
		p := packet.Packet{}
		if p.Decode(octets, order) != spec.None || !good {
			return
		}
		row, _ := p.Opcode.Operation()
		cites = append(cites, rowOf(uint8(p.Opcode)))
		for _, h := range row.Headers {
			cites = append(cites, byHeader[h]...)
		}
		if p.CE && row.Packet == spec.PullData {
			cites = append(cites, "8.2-14", "FTP-6.4-05", "FTP-8.5.3.5-02")
			if class == spec.Refused {
				cites = append(cites, "6.3-07")
			}
		}
	}
	if s.Request != nil {
		show(s.Request.Hex, s.Breaks == "")
		if w.service == ud && s.Breaks != "" {
			cites = append(cites, "6.3-13")
		}
	}
	if s.Response != nil {
		show(s.Response.Hex, s.Breaks == "")
	}
	if s.Complete != nil {
		if n, assigned := byCode[s.Complete.Code]; assigned {
			cites = append(cites, "FTP-11-"+n)
		}
	}
	cites = append(cites, byRule[rule]...)
	for i := range s.Expect {
		e := &s.Expect[i]
		switch {
		case e.Request != nil:
			show(e.Request.Hex, true)
			cites = append(cites, "FTP-8.4.3.1-01")
		case e.Response != nil:
			show(e.Response.Hex, true)
			cites = append(cites, "8.2-28", "8.3.4-08", "FTP-7.3-01", "FTP-8.5.3.2-01", "FTP-8.5.3.2-02")
		case e.Completion != nil && e.Completion.Immediate != nil:
			cites = append(cites, "8.3.5-05")
		case e.Event != nil:
			cites = append(cites, "6.3-02")
		case e.Reply != nil && w.service != ud:
			cites = append(cites, byReply[e.Reply.Reply]...)
			if class == spec.Refused {
				cites = append(cites, map[int][]string{invalidRequest: {"6.3-04"}, accessError: {"6.3-05"}}[e.Reply.ULP]...)
			}
		}
	}
	return cites
}

func ruleOf(name string) spec.Rule {
	for _, r := range spec.Rules {
		if r.Name == name {
			return r.Rule
		}
	}
	return spec.None
}

var decision = regexp.MustCompile(`\bI-[0-9]+\b`)

// Decided returns the decisions on which a test's outcomes depend: those of its case, of the rules that its packets break, and
// of its replies.
func Decided(one *Case, t *suite.Test) []string {
	ids := slices.Clone(one.Decides)
	if one.World.service == xrc {
		ids = append(ids, "I-28")
	}
	for i := range t.Steps {
		s := &t.Steps[i]
		for name := range strings.FieldsSeq(s.Breaks) {
			ids = append(ids, decision.FindAllString(ruleOf(name).Row().Text, -1)...)
		}
		for j := range s.Expect {
			if r := s.Expect[j].Reply; r != nil && r.ULP != 0 {
				ids = append(ids, "I-64", "I-65")
			}
			if s.Breaks != "" && s.Expect[j].Response != nil {
				ids = append(ids, "I-63")
				if r := ruleOf(s.Breaks); r == spec.BadOpcode || r == spec.ShortHeaders {
					ids = append(ids, "I-108")
				}
			}
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b)
		}
		return strings.Compare(a, b)
	})
	return append([]string{}, slices.Compact(ids)...)
}

// Sections returns the sections of requirements.
func Sections(requirements []string) []string {
	list := []string{}
	for _, id := range requirements {
		id = strings.TrimPrefix(id, Prefix)
		section := id[:strings.LastIndex(id, "-")]
		if after, is := strings.CutPrefix(section, "FTP-"); is {
			section = "FTP " + after
		} else {
			section = "RoF " + section
		}
		if !slices.Contains(list, section) {
			list = append(list, section)
		}
	}
	return list
}
