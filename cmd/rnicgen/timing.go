package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	rtl "github.com/rnicgen/rnicgen/cosim/system"
	"github.com/rnicgen/rnicgen/gen"
)

func (a *app) timingCommand() *cobra.Command {
	var latency uint64
	c := &cobra.Command{
		Use: "timing", Short: "Measure where the hardware spends cycles", Args: cobra.NoArgs,
		Long: `timing measures, on the generated hardware, the cycles from one event at its ports to another, with single messages, and cycles per
message, with many. simulate gives the model of an RNIC the delays that were measured so on the default configuration.

An event is in the cycle in which a beat is accepted; rates are cycles per message.`,
		RunE: func(*cobra.Command, []string) error {
			config, err := a.readConfig()
			if err != nil {
				return err
			}
			if err := a.checkJSON(); err != nil {
				return err
			}
			if latency == 0 || latency > 100_000 {
				return fmt.Errorf("--latency is %d; allowed: 1 to 100000", latency)
			}
			var d any
			o := rtl.Options{Engine: a.engine, Latency: latency, Context: a.ctx}
			if config.Profile == gen.ProfileFalcon {
				d, err = rtl.MeasureFalcon(config, o)
			} else {
				d, err = rtl.Measure(config, o)
			}
			if err != nil {
				return err
			}
			if err := a.report(d); err != nil {
				return err
			}
			return a.printDelays(d)
		},
	}
	a.configFlag(c)
	a.engineFlag(c)
	a.jsonFlag(c)
	c.Flags().Uint64Var(&latency, "latency", 40, "cycles of memory; the delays do not depend on it")
	return c
}

// printDelays prints each number with its name in the JSON report.
func (a *app) printDelays(d any) error {
	if a.json == "-" {
		return nil
	}
	text, err := json.Marshal(d)
	if err != nil {
		return err
	}
	var fields map[string]any
	if err := json.Unmarshal(text, &fields); err != nil {
		return err
	}
	rows := map[string]any{}
	for name, v := range fields {
		if inner, is := v.(map[string]any); is {
			for n, v := range inner {
				rows[name+": "+n] = v
			}
		} else {
			rows[name] = v
		}
	}
	names := make([]string, 0, len(rows))
	for name := range rows {
		names = append(names, name)
	}
	slices.Sort(names)
	w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
	for _, name := range names {
		fmt.Fprintf(w, "%s\t%v\n", strings.ReplaceAll(name, "_", " "), rows[name])
	}
	return w.Flush()
}
