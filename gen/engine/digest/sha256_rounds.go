package digest

import (
	"fmt"

	"github.com/rnicgen/rnicgen/hdl"
)

// sha256Step says what happens in a step of digest_sha256.
type sha256Step struct {
	advance hdl.Value // 1 in the last cycle of the step
	next    hdl.Value // number of the next step
	takes   hdl.Value // word is the next one of the message
	word    hdl.Value
	isRound hdl.Value // 1: a round, 0: a step of the sums
	restart hdl.Value // 1: the next turn begins
	loads   hdl.Value // 1: loaded is summed instead of the hash value: words 3 and 7, 2 and 6, 1 and 5, 0 and 4
	loaded  hdl.Value
}

// schedule is the message schedule: it returns the word that has entered in the step before, and the constant of its round.
func (s sha256Step) schedule(m *hdl.Module) (word, constant hdl.Value) {
	m.Section("The message schedule: words 1, 2, 7, 15 and 16 before the next one")
	var words []hdl.Reg
	for i := range 16 {
		words = append(words, m.Reg(fmt.Sprintf("word_%d_q", i+1), 32, hdl.NoReset))
	}
	early := m.Let("scheduled_early", m.Let("lower_0", lower0(words[14].Value)).Add(words[15].Value))
	late := m.Let("scheduled_late", m.Let("lower_1", lower1(words[1].Value)).Add(words[6].Value))
	moves := hdl.Stmts{words[0].Set(hdl.Mux(s.takes, s.word, m.Let("scheduled", early.Add(late))))}
	for i := range words[1:] {
		moves = append(moves, words[i+1].Set(words[i].Value))
	}
	added := m.Reg("constant_q", 32, hdl.NoReset)
	round, following := m.Reg("round_q", 6, hdl.NoReset), m.Let("following_round", s.next.Minus(shaLoads))
	m.Unused("there are 64 rounds", following.Bit(6))
	constant = table(m, "constant", round.Value, 32, sha256Constants)
	m.OnClock(hdl.If(s.advance, moves, round.Set(following.Truncate(6)), added.Set(constant)))
	return words[0].Value, added.Value
}

// rounds are the working variables and the hash value, which it returns.
func (s sha256Step) rounds(m *hdl.Module, word, constant hdl.Value) (hash [8]hdl.Reg) {
	m.Section("The working variables a to h and the hash value")
	var v [8]hdl.Reg
	for i := range v {
		v[i] = m.Reg(fmt.Sprintf("%c_q", 'a'+i), 32, hdl.NoReset)
		hash[i] = m.Reg(fmt.Sprintf("hash_%d_q", i), 32, hdl.NoReset)
	}
	a, b, c, d, e, f, g, h := v[0].Value, v[1].Value, v[2].Value, v[3].Value, v[4].Value, v[5].Value, v[6].Value, v[7].Value
	prepared, preparedE := m.Reg("prepared_q", 32, hdl.NoReset), m.Reg("prepared_e_q", 32, hdl.NoReset)
	m.Note("What does not depend on the round before is added a step ahead: g is then h, and c is d.")
	ahead := m.Let("ahead", g.Add(word).Add(constant))
	m.Note("Three operands become two without a carry chain, until two are left.")
	upper, choice := m.Let("upper_1", upper1(e)), m.Let("choice", choose(e, f, g))
	second := m.Let("temporary_2", m.Let("upper_0", upper0(a)).Add(m.Let("majority", majority(a, b, c))))
	x, y := reduce(m, "first", upper, choice, prepared.Value)
	ax, ay := reduce(m, "for_a", x, y, second)
	ex, ey := reduce(m, "for_e", upper, choice, preparedE.Value)
	nextA, nextE := m.Let("next_a", ax.Add(ay)), m.Let("next_e", ex.Add(ey))
	m.Note("Four steps of the sums add each working variable to its part of the hash value.")
	part3, part7 := m.Let("part_3", hdl.Mux(s.loads, s.loaded.Truncate(32), hash[3].Value)), m.Let("part_7", hdl.Mux(s.loads, s.loaded.Slice(63, 32), hash[7].Value))
	sumD, sumH := m.Let("sum_d", d.Add(part3)), m.Let("sum_h", h.Add(part7))
	moves := hdl.Stmts{prepared.Set(ahead), preparedE.Set(m.Let("ahead_e", ahead.Add(c)))}
	sums := hdl.Stmts{hash[0].Set(sumD), hash[4].Set(sumH)}
	var restart hdl.Stmts
	for i := range v {
		if i%4 > 0 {
			moves, sums = append(moves, v[i].Set(v[i-1].Value)), append(sums, hash[i].Set(hash[i-1].Value))
		}
		restart = append(restart, v[i].Set(hdl.Zero(32)))
	}
	moves = append(moves, v[0].Set(hdl.Mux(s.isRound, nextA, sumD)), v[4].Set(hdl.Mux(s.isRound, nextE, sumH)))
	m.OnClock(hdl.If(s.restart, restart).ElseIf(s.advance, moves, hdl.If(s.isRound.Not(), sums)))
	return hash
}

// reduce returns two words with the sum of three.
func reduce(m *hdl.Module, name string, x, y, z hdl.Value) (sum, carries hdl.Value) {
	carry := m.Let(name+"_carry", majority(x, y, z).Truncate(31))
	return m.Let(name+"_sum", x.Xor(y).Xor(z)), m.Let(name+"_carries", hdl.Cat(carry, hdl.Zero(1)))
}
