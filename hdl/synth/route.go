package synth

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/rnicgen/rnicgen/hdl"
	"github.com/rnicgen/rnicgen/internal/process"
)

// Routing is the clock of a design alone after place and route, between registers at its ports.
type Routing struct {
	MHz   float64   `json:"mhz"`   // median of the seeds
	Seeds []float64 `json:"seeds"` // MHz with seed 1, 2, ...
}

// router is the program that places and routes on the largest device of a family.
type router struct {
	program string
	install string // where to get it
	args    []string
}

// CheckRouter reports a missing program, or a family without one.
func CheckRouter(t Target) error {
	if t.router.program == "" {
		var can []string
		for _, o := range Targets {
			if o.router.program != "" {
				can = append(can, o.Name)
			}
		}
		return fmt.Errorf("there is no place and route for %s; allowed: %s", t.Name, strings.Join(can, ", "))
	}
	if _, err := exec.LookPath(t.router.program); err != nil {
		return fmt.Errorf("%s is not installed; %s", t.router.program, t.router.install)
	}
	return nil
}

// routedAt is the clock that the router works towards, in MHz: more than any design reaches.
const routedAt = 300

// Route places and routes a design once per seed.
func Route(ctx context.Context, d *hdl.Design, t Target, seeds int) (*Routing, error) {
	dir, err := os.MkdirTemp("", "rnicgen-route-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	files := append(d.Files(), hdl.File{Name: wrapperName + ".v", Text: wrap(d)})
	if err := synthesise(ctx, dir, files, wrapperName, t); err != nil {
		return nil, fmt.Errorf("%s for %s: %w", d.Top(), t.Name, err)
	}
	r := &Routing{}
	for seed := 1; seed <= seeds; seed++ {
		mhz, err := t.router.run(ctx, dir, seed)
		if err != nil {
			return nil, fmt.Errorf("%s for %s, seed %d: %w", d.Top(), t.Name, seed, err)
		}
		r.Seeds = append(r.Seeds, mhz)
	}
	sorted := slices.Sorted(slices.Values(r.Seeds))
	r.MHz = sorted[len(sorted)/2]
	return r, nil
}

// run returns the clock in MHz.
func (r router) run(ctx context.Context, dir string, seed int) (float64, error) {
	args := append(slices.Clone(r.args), "--quiet", "--json", "netlist.json", "--seed", strconv.Itoa(seed), "--freq", strconv.Itoa(routedAt),
		"--timing-allow-fail", "--report", "report.json")
	if err := run(ctx, dir, r.program, args...); err != nil {
		return 0, err
	}
	report := filepath.Join(dir, "report.json")
	if err := process.Made(r.program, report); err != nil {
		return 0, err
	}
	text, err := os.ReadFile(report)
	if err != nil {
		return 0, err
	}
	var clocks struct {
		Fmax map[string]struct{ Achieved float64 } `json:"fmax"`
	}
	if err := json.Unmarshal(text, &clocks); err != nil {
		return 0, fmt.Errorf("%s: report.json: %w", r.program, err)
	}
	for _, c := range clocks.Fmax {
		return round(c.Achieved), nil
	}
	return 0, fmt.Errorf("%s: report.json has no clock", r.program)
}
