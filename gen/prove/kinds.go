package prove

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rnicgen/rnicgen/gen"
	"github.com/rnicgen/rnicgen/gen/engine"
	"github.com/rnicgen/rnicgen/gen/engine/transmit"
	"github.com/rnicgen/rnicgen/gen/falcon"
	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/hdl/formal"
)

// lists returns the lists of a configuration: its executors, those that send messages, those whose requests are over once their response is
// sent, the one that reports it for them, and those of its profile.
func lists(c gen.Config) formal.Lists {
	names := func(executors []engine.Executor) (list []string) {
		for _, x := range executors {
			list = append(list, x.Name)
		}
		return list
	}
	e := c.Engine()
	out := formal.Lists{"EXECUTOR": names(e.Profile.Executors(e)), "SPEAKER": names(engine.Speakers(e)), "SENT": names(engine.SentExecutors(e)),
		"REPORTER": names(engine.SentExecutors(e)[:1])}
	if c.Profile == gen.ProfileFalcon { // falcon_responses speaks for the executors
		out["SPEAKER"] = []string{transmit.Joined}
		maps.Copy(out, falcon.Lists(c.BusBytes))
	}
	return out
}

// kinds returns the numbers of executors and of kinds as macros: `EXECUTORS, `SPEAKERS, `REQUEST_CLOSE, `SEND_READ, and
// `COMMIT with 0 or 1.
func kinds(c gen.Config) map[string]string {
	k, list := c.Engine().Kinds(), lists(c)["EXECUTOR"]
	out := map[string]string{"EXECUTORS": strconv.Itoa(len(list)), "SPEAKERS": strconv.Itoa(len(lists(c)["SPEAKER"])), "COMMIT": "0"}
	if slices.Contains(c.Extensions, "commit") {
		out["COMMIT"] = "1"
	}
	number := func(name string, kind uint64) { out[strings.ToUpper(name)] = strconv.FormatUint(kind, 10) }
	number("request_end", engine.KindEnd)
	number("request_close", engine.KindClose)
	number("send_end", engine.KindEnd)
	number("send_close", engine.KindClose)
	number("send_message", engine.KindMessage)
	number("request_last", k.Request(list[len(list)-1]))
	for _, name := range list {
		number("request_"+name, k.Request(name))
		number("send_"+name, k.Response(name))
	}
	return out
}

// macros returns the macros of a module of a configuration, besides those that package formal defines.
func macros(c gen.Config) func(*hdl.Design) map[string]string {
	of := kinds(c)
	return func(d *hdl.Design) map[string]string {
		out := maps.Clone(of)
		maps.Copy(out, options(d))
		return out
	}
}
