// A C++ test bench in the style of a handwritten one: a single loop, beats from an array, outputs read and discarded, or
// summed for comparison. It is the baseline for the batched driver. It shares only the stall generator with that driver,
// so that both apply the same stimulus.
#pragma once
#include "instance.h"

struct PlainStream {
    const uint64_t* beats;  // of a sink: offered in a loop
    uint64_t count;         // number of beats
    uint64_t next;          // beat to offer next
    uint64_t pending;       // a beat is offered
    uint64_t passed;        // beats transferred
    uint64_t checksum;      // of a source: of its output words
    Staller staller;
};

template <bool Sum>
void plain_loop(Instance& in, PlainStream* streams, uint64_t cycles) {
    Vdut& dut = *in.dut;
    for (uint64_t cycle = 0; cycle < cycles; cycle++) {
        Clock::set(dut, 0);
        each(Sinks{}, [&](auto port) {
            PlainStream& s = streams[port.kStream];
            bool stall = s.staller.stall();
            if (s.pending || s.count == 0) return;
            if (!stall) {
                port.offer(dut, s.beats + s.next * port.kWords);
                s.pending = 1;
            } else if (port.valid(dut)) {
                port.withdraw(dut);
            }
        });
        each(Sources{}, [&](auto port) { port.set_ready(dut, !streams[port.kStream].staller.stall()); });
        dut.eval();
        each(Sinks{}, [&](auto port) {
            PlainStream& s = streams[port.kStream];
            if (!s.pending || !port.ready(dut)) return;
            s.pending = 0;
            s.passed++;
            if (++s.next == s.count) s.next = 0;
        });
        each(Sources{}, [&](auto port) {
            PlainStream& s = streams[port.kStream];
            if (!port.valid(dut) || !port.ready(dut)) return;
            uint64_t beat[port.kWords];
            port.collect(dut, beat);
            if (Sum) {
                for (uint64_t word : beat) s.checksum = mix(s.checksum, word);
            }
            asm volatile("" : : "m"(beat));  // forces the beat to be read
            s.passed++;
        });
        Clock::set(dut, 1);
        dut.eval();
    }
}
