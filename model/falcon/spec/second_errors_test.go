package spec

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// secondError is an error as the second reader typed it: what follows from it at the QP that finds it. Status is "text" if a
// section or decision says so, "derived" if it is one step from them, "taken" if it is the reader's choice. The fields from QP
// on name what corresponds to it: rules of a request, of a pull if they are others, of a response, and completion codes.
type secondError struct {
	Error    string `json:"error"`
	Request  string `json:"request_answer"`
	Response string `json:"response_answer"`
	Verbs    string `json:"qp_state_verbs"`
	InError  string `json:"qp_state_cie"`
	Event    string `json:"event"` // with Verbs compatible errors
	UsesSN   bool   `json:"uses_sn"`
	Status   string `json:"status"`

	QP        string   `json:"qp"` // empty: RC
	Rules     []string `json:"rules"`
	Pulls     []string `json:"pulls"`
	Responses []string `json:"responses"`
	Codes     []string `json:"codes"`
}

// answers returns the reader's answers to a push, by error mode, and to a pull; empty: the row has none.
func (s secondError) answers() (push [2]string, pull string) {
	var pushes string
	for _, part := range strings.Split(s.Request, "; ") {
		to, answer, tells := strings.Cut(part, ": ")
		switch {
		case part == "none":
		case !tells && (s.QP == "UD" || strings.HasPrefix(part, "CIE")): // which is no answer to such a pull
			pushes = part
		case !tells:
			pushes, pull = part, part
		case to == "push":
			pushes = answer
		default:
			pull = answer
		}
	}
	verbs, inError, two := strings.Cut(pushes, " / ")
	if !two {
		inError = verbs
	}
	return [2]string{verbs, inError}, pull
}

// what returns the reader's answer to a response or completion in one word.
func (s secondError) what() string {
	switch {
	case s.Response == "drop", s.Response == "accept":
		return s.Response
	case s.Response == "none" && len(s.Codes) == 0:
		return ""
	}
	return "error"
}

// state returns a state of the reader as one of the QP that the rules or codes concern; empty: there can be none.
func state(text string) string {
	switch text {
	case "not possible":
		return ""
	case "none":
		return "unchanged"
	case "initiator Error; target unchanged":
		return "Error"
	}
	return text
}

// ours is a row of this package in the words of the reader.
type ours struct {
	push           [2]string
	pull           string
	what           string
	verbs, inError string
	event          string
	pushUses       bool // the SN
	pullUses       bool
}

// replied returns a reply in the words of the reader.
func replied(r Reply, code ULPCode) string {
	switch r {
	case CID:
		return "NACK CID"
	case CEResponse:
		return "CE response"
	case CIE, NRE:
		nack, _ := r.NACK()
		return fmt.Sprintf("%s %d ULP 0x%02x", strings.ToUpper(r.String()), nack, uint8(code))
	case RNR:
		return "RNR"
	}
	return r.String()
}

// stateOf returns a state in the words of the reader.
func stateOf(ends bool) string {
	if ends {
		return "Error"
	}
	return "unchanged"
}

// ofRequest fills in what follows from a rule of a request.
func (o *ours) ofRequest(row *RuleRow, q QPType) {
	for m := Verbs; m <= CompleteInError; m++ {
		reply := row.Class.Consequence(m).Reply(PushRequest, q)
		o.push[m] = replied(reply, row.Code)
		o.pushUses = row.Class.UsesSN(reply)
	}
	o.ofState(row, q == QPUD)
}

// ofState fills in the states and the event of a rule.
func (o *ours) ofState(row *RuleRow, stays bool) {
	verbs, inError := row.Class.Consequence(Verbs), row.Class.Consequence(CompleteInError)
	o.verbs, o.inError, o.event = stateOf(verbs.Error && !stays), stateOf(inError.Error && !stays), "none"
	if verbs.Event && !stays {
		o.event = map[ULPCode]string{InvalidRequest: "QP request error", AccessError: "QP access error",
			OperationError: "QP fatal", NoCode: "QP fatal"}[row.Code]
	}
}

// ofResponse fills in what follows from a rule of a response.
func (o *ours) ofResponse(row *RuleRow) {
	switch row.Class {
	case Harmless:
		o.what = "accept"
	case Found:
		o.what = "error"
	default:
		o.what = "drop"
	}
}

// ofCode fills in what follows from a completion code (I-105).
func (o *ours) ofCode(row CompletionRow) {
	o.what, o.verbs, o.inError, o.event = "error", "Error", stateOf(row.Fatal), "QP fatal"
}

func ruleNamed(t *testing.T, name string) *RuleRow {
	t.Helper()
	i := slices.IndexFunc(Rules[:], func(r RuleRow) bool { return r.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return &Rules[i]
}

func codeNamed(t *testing.T, name string) CompletionRow {
	t.Helper()
	i := slices.IndexFunc(Completions[:], func(r CompletionRow) bool { return r.Name == name })
	require.GreaterOrEqual(t, i, 0, name)
	return Completions[i]
}

// rowsOf returns what corresponds to a row: one for each of its rules or codes.
func (s secondError) rowsOf(t *testing.T) (list []ours) {
	t.Helper()
	q := QPRC
	if s.QP == "UD" {
		q = QPUD
	}
	pulls := s.Pulls
	if pulls == nil {
		pulls = s.Rules
	}
	for i := range max(len(s.Rules), len(s.Responses), len(s.Codes)) {
		var o ours
		if len(s.Responses) > 0 {
			row := ruleNamed(t, s.Responses[min(i, len(s.Responses)-1)])
			o.ofResponse(row)
			o.ofState(row, false)
		}
		if len(s.Codes) > 0 {
			o.ofCode(codeNamed(t, s.Codes[i]))
		}
		if len(s.Rules) > 0 {
			o.ofRequest(ruleNamed(t, s.Rules[min(i, len(s.Rules)-1)]), q)
			row := ruleNamed(t, pulls[min(i, len(pulls)-1)])
			reply := row.Class.Consequence(Verbs).Reply(PullRequest, q)
			o.pull, o.pullUses = replied(reply, row.Code), row.Class.UsesSN(reply)
			assert.Equal(t, o.pull, replied(row.Class.Consequence(CompleteInError).Reply(PullRequest, q), row.Code), row.Name)
		}
		list = append(list, o)
	}
	return list
}

// Reasons of differences.
const (
	pullIsOver   = "I-106: Falcon delivers no second response, so the pull would never end"
	atFalcon     = "I-64 has no code of its own for it; the peer's request is not at fault, but the order of delivery"
	hostIsTold   = "RoF 6.3 reports errors by events; here the host is told of every QP that ends, also of an initiator"
	codesEnd     = "I-105: every completion code but CIE ends the QP in both error modes"
	notCounted   = "the answer is one that uses an SN (I-61), but none is counted (I-29)"
	noOperation  = "I-116: the operation that has failed is not known, so neither side could go on with the next one"
	onlyReceives = "I-112: what takes no receive does not look at XRCETH"
)

// secondDifferences are the answers that differ from those of the second reader, with the reason.
var secondDifferences = []struct{ error, column, ours, reason string }{
	{"packet shorter than 12 octets", "response", "error", pullIsOver},
	{"version is not 1", "pull", "NACK CID", "I-99: there is no NRE for a pull, and a QP of another version is not concerned"},
	{"version is not 1", "push uses SN", "false", "I-61: its SN is of a version that is not known, and the QP is not concerned"},
	{"version is not 1", "pull uses SN", "false", "I-61: an invalid CID does not"},
	{"version is not 1", "response", "error", pullIsOver},
	{"QP not in a receiving state (Reset, Init, Error)", "push, verbs", "NRE 7 ULP 0x63", "I-100"},
	{"QP not in a receiving state (Reset, Init, Error)", "push, complete in error", "NRE 7 ULP 0x63", "I-100"},
	{"reserved opcode", "response", "error", pullIsOver},
	{"opcode does not fit the Falcon packet type (pull opcode in push data, and so on)", "response", "error", pullIsOver},
	{"opcode does not fit the QP type (XRC or UD opcode on RC, RC opcode on XRC)", "response", "error", pullIsOver},
	{"opcode other than 0x64 and 0x65 on a UD QP", "pull", "NACK CID", "I-67: a UD QP has no pulls, and its connection is shared"},
	{"opcode other than 0x64 and 0x65 on a UD QP", "pull uses SN", "false", "I-61: an invalid CID does not"},
	{"reserved opcode", "push, complete in error", "NRE 7 ULP 0x61", noOperation},
	{"reserved opcode", "state, complete in error", "Error", noOperation},
	{"opcode does not fit the Falcon packet type (pull opcode in push data, and so on)", "push, complete in error", "NRE 7 ULP 0x61", noOperation},
	{"opcode does not fit the Falcon packet type (pull opcode in push data, and so on)", "state, complete in error", "Error", noOperation},
	{"opcode does not fit the QP type (XRC or UD opcode on RC, RC opcode on XRC)", "push, complete in error", "NRE 7 ULP 0x61", noOperation},
	{"opcode does not fit the QP type (XRC or UD opcode on RC, RC opcode on XRC)", "state, complete in error", "Error", noOperation},
	{"0x00..0x03 or 0x16 on an unordered QP (Send longer than one MTU)", "push, complete in error", "NRE 7 ULP 0x61", noOperation},
	{"0x00..0x03 or 0x16 on an unordered QP (Send longer than one MTU)", "state, complete in error", "Error", noOperation},
	{"0x09 on an unordered QP", "push, complete in error", "NRE 7 ULP 0x61", noOperation},
	{"0x09 on an unordered QP", "state, complete in error", "Error", noOperation},
	{"packet shorter than the headers of its opcode, or than headers and pad", "push, complete in error", "NRE 7 ULP 0x61", noOperation},
	{"packet shorter than the headers of its opcode, or than headers and pad", "state, complete in error", "Error", noOperation},
	{"strongly ordered: Middle or Last without First, or First or Only within a message", "push, complete in error", "NRE 7 ULP 0x61", noOperation},
	{"strongly ordered: Middle or Last without First, or First or Only within a message", "state, complete in error", "Error", noOperation},
	{"RMSN outside the window of 256 messages", "push, complete in error", "NRE 7 ULP 0x61", noOperation},
	{"RMSN outside the window of 256 messages", "state, complete in error", "Error", noOperation},
	{"strongly ordered: SN ahead of the expected one, no RNR pending", "push, verbs", "NRE 7 ULP 0x63", atFalcon},
	{"strongly ordered: SN ahead of the expected one, no RNR pending", "push, complete in error", "NRE 7 ULP 0x63", atFalcon},
	{"strongly or weakly ordered: SN repeated, answered before other than by RNR", "push, verbs", "NRE 7 ULP 0x63", atFalcon},
	{"strongly or weakly ordered: SN repeated, answered before other than by RNR", "push, complete in error", "NRE 7 ULP 0x63", atFalcon},
	{"UD or unordered: any SN", "push uses SN", "true", notCounted},
	{"UD or unordered: any SN", "pull uses SN", "true", notCounted},
	{"XRC: XRCSRQ unknown or of another domain", "pull", "ack", onlyReceives},
	{"pull response with CE=1", "event", "QP fatal", hostIsTold},
	{"pull response whose SN belongs to no open request", "response", "error", pullIsOver},
	{"pull response whose SN belongs to no open request", "state, verbs", "Error", pullIsOver},
	{"pull response whose SN belongs to no open request", "event", "QP fatal", hostIsTold},
	{"pull response longer than requested", "state, complete in error", "Error", codesEnd},
	{"pull response longer than requested", "event", "QP fatal", hostIsTold},
	{"pull response whose STETH differs from the request's", "event", "QP fatal", hostIsTold},
	{"push completion kCmplTargetNackCIE 0x1", "event", "QP fatal", hostIsTold},
	{"push completion kCmplTargetNackNRE 0x3", "event", "QP fatal", hostIsTold},
	{"push completion kCmplTargetNackCID 0x4", "state, complete in error", "Error", codesEnd},
	{"push completion kCmplTargetNackCID 0x4", "event", "QP fatal", hostIsTold},
}

// differences returns the columns in which a row differs from one of this package, with the answer of this package.
func (s secondError) differences(o ours) map[string]string {
	push, pull := s.answers()
	possible := state(s.Verbs) != "" // with Verbs compatible errors
	columns := []struct {
		name, theirs, ours string
		has                bool
	}{
		{"push, verbs", push[Verbs], o.push[Verbs], possible && push[Verbs] != ""},
		{"push, complete in error", push[CompleteInError], o.push[CompleteInError], push[CompleteInError] != ""},
		{"pull", pull, o.pull, pull != ""},
		{"response", s.what(), o.what, s.what() != ""},
		{"state, verbs", state(s.Verbs), o.verbs, possible},
		{"state, complete in error", state(s.InError), o.inError, true},
		{"event", strings.TrimSuffix(s.Event, " at the initiator"), o.event, possible},
		{"push uses SN", fmt.Sprint(s.UsesSN), fmt.Sprint(o.pushUses), push[CompleteInError] != ""},
		{"pull uses SN", fmt.Sprint(s.UsesSN), fmt.Sprint(o.pullUses), pull != ""},
	}
	differ := map[string]string{}
	for _, c := range columns {
		if c.has && c.theirs != c.ours {
			differ[c.name] = c.ours
		}
	}
	return differ
}

// TestSecondErrors: what follows from an error is what the second reader has, but for the listed differences. Of the rules all
// but three are those of a row.
func TestSecondErrors(t *testing.T) {
	type difference struct{ error, column, ours string }
	differ, listed := map[difference]bool{}, map[difference]bool{}
	named := []string{"incomplete", "bad_offset", "sink_buffer"} // which the reader does not have
	s := readSecond(t)
	assert.Len(t, s.Errors, 52)
	for _, theirs := range s.Errors {
		assert.Contains(t, []string{"text", "derived", "taken"}, theirs.Status, theirs.Error)
		rows := theirs.rowsOf(t)
		assert.NotEmpty(t, rows, theirs.Error)
		for _, o := range rows {
			for column, answer := range theirs.differences(o) {
				differ[difference{theirs.Error, column, answer}] = true
			}
		}
		named = append(named, slices.Concat(theirs.Rules, theirs.Responses)...)
	}
	for _, d := range secondDifferences {
		listed[difference{d.error, d.column, d.ours}] = true
		assert.NotEmpty(t, d.reason)
	}
	assert.Equal(t, listed, differ)
	for _, r := range Rules {
		assert.Contains(t, named, r.Name)
	}
}
