package same

import (
	"bufio"
	"fmt"
	"io"
	"os/exec"
	"strings"
)

// solver is z3, which answers questions one after the other.
type solver struct {
	stdin   io.WriteCloser
	out     *bufio.Reader
	process *exec.Cmd
	names   int
}

// patience bounds the time for one question, in milliseconds. Most take less than a hundredth of it.
const patience = 2_000

func newSolver() (*solver, error) {
	s := &solver{process: exec.Command("z3", "-smt2", "-in")}
	var err error
	if s.stdin, err = s.process.StdinPipe(); err != nil {
		return nil, err
	}
	stdout, err := s.process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	s.out = bufio.NewReader(stdout)
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	s.say("(set-option :timeout %d)\n(set-logic QF_AUFBV)", patience)
	return s, nil
}

func (s *solver) say(format string, args ...any) { fmt.Fprintf(s.stdin, format+"\n", args...) }

// fresh is a name that was not used before.
func (s *solver) fresh(what string) string {
	s.names++
	return fmt.Sprintf("%s.%d", what, s.names)
}

// within asks in a world of its own, whose assertions are forgotten afterwards.
func (s *solver) within(f func() error) error {
	s.say("(push 1)")
	defer s.say("(pop 1)")
	return f()
}

// can asks whether a condition can hold: sat, unsat, or unknown when that is too much work.
func (s *solver) can(condition string) (answer string, err error) {
	err = s.within(func() error {
		s.say("(assert %s)\n(check-sat)", condition)
		answer, err = s.answer()
		return err
	})
	return answer, err
}

// wrong asks whether one of some conditions can be wrong, and which are when one is.
func (s *solver) wrong(conditions []string) (answer string, which []bool, err error) {
	if len(conditions) == 0 {
		return "unsat", nil, nil
	}
	err = s.within(func() error {
		var names []string
		for _, c := range conditions {
			name := s.fresh("is")
			names = append(names, name)
			s.say("(declare-const %s Bool)\n(assert (= %s %s))", name, name, c)
		}
		s.say("(assert (not (and true %s)))\n(check-sat)", strings.Join(names, " "))
		if answer, err = s.answer(); err != nil || answer != "sat" {
			return err
		}
		s.say("(get-value (%s))", strings.Join(names, " "))
		for _, name := range names {
			line, err := s.out.ReadString('\n')
			if err != nil {
				return err
			}
			f := strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(line))
			if len(f) != 2 || f[0] != name {
				return fmt.Errorf("z3: %s", strings.TrimSpace(line))
			}
			which = append(which, f[1] == "false")
		}
		return nil
	})
	return answer, which, err
}

// hold takes conditions away until all that are left hold whenever those that assume says do.
func (s *solver) hold(conditions []string, assume func(left []int) []string) (left []int, err error) {
	for i := range conditions {
		left = append(left, i)
	}
	for range mostRounds {
		var asked []string
		for _, i := range left {
			asked = append(asked, conditions[i])
		}
		var answer string
		var which []bool
		err := s.within(func() error {
			for _, a := range assume(left) {
				s.say("(assert %s)", a)
			}
			var err error
			answer, which, err = s.wrong(asked)
			return err
		})
		if err != nil || answer == "unsat" {
			return left, err
		}
		if answer != "sat" {
			return nil, nil
		}
		var rest []int
		for n, i := range left {
			if !which[n] {
				rest = append(rest, i)
			}
		}
		left = rest
	}
	return nil, nil
}

// mostRounds bounds how often something is taken away.
const mostRounds = 120

func (s *solver) answer() (string, error) {
	line, err := s.out.ReadString('\n')
	line = strings.TrimSpace(line)
	if err != nil {
		return "", fmt.Errorf("z3: %w", err)
	}
	switch line {
	case "sat", "unsat", "unknown":
		return line, nil
	}
	return "", fmt.Errorf("z3: %s", line)
}

func (s *solver) close() error {
	s.say("(exit)")
	s.stdin.Close()
	return s.process.Wait()
}
