// The batched driver: runs many cycles between the rings of an instance and its pins. It has an equivalent in Go
// (internal/batch); the two must agree in every cycle.
#pragma once
#include <algorithm>

#include "instance.h"

// Compile-time options of a series of cycles; the code of an unused option is not compiled.
template <bool Stalls_, bool Full_, bool Hash_>
struct Cycle {
    static constexpr bool kStalls = Stalls_;  // some stream has a stall mode
    static constexpr bool kFull = Full_;      // the ring of a source may be full
    static constexpr bool kHash = Hash_;      // the trace hash is updated
};

// Offers a sink's next beat on its pins. Returns whether a stall held back a queued beat.
template <class C, class Port>
inline bool drive_sink(Vdut& dut, Stream& s) {
    bool stall = C::kStalls && s.staller.stall();
    if (s.valid) return false;  // still offered
    bool queued = s.head != s.tail;
    if (queued && !stall) {
        Port::offer(dut, s.data + s.slot(s.head) * Port::kWords);
        s.valid = 1;
        return false;
    }
    if (Port::valid(dut)) Port::withdraw(dut);
    return queued;
}

template <class C, class Port>
inline void drive_source(Vdut& dut, Stream& s) {
    bool stall = C::kStalls && s.staller.stall();
    Port::set_ready(dut, !stall & !(C::kFull && s.full()));  // avoids a branch on a random number
}

// Returns whether the design accepted a beat.
template <class Port>
inline bool sample_sink(Vdut& dut, Stream& s, uint64_t cycle) {
    if (!s.valid) return false;
    s.offered++;
    if (!Port::ready(dut)) return false;
    s.stamp(s.head, cycle);
    s.head++;
    s.valid = 0;
    return true;
}

// Returns whether the design transferred a beat, or would have without the stall.
template <class C, class Port>
inline bool sample_source(Vdut& dut, Stream& s, uint64_t cycle) {
    if (!Port::valid(dut)) return false;
    s.offered++;
    if ((C::kStalls || C::kFull) && !Port::ready(dut)) return !(C::kFull && s.full());
    uint64_t beat[Port::kWords];  // stays in registers while being packed
    Port::collect(dut, beat);
    store_words(s.data + s.slot(s.tail) * Port::kWords, beat, std::make_index_sequence<Port::kWords>{});
    s.stamp(s.tail, cycle);
    s.tail++;
    return true;
}

// Decides, before the clock edge, why nothing moved, and samples the pins for the watchdog's report.
inline Why verdict(Instance& in) {
    Why why = kQuiet;
    bool full = false;
    each(Sinks{}, [&](auto port) {
        Stream& s = in.streams[port.kStream];
        s.ready = port.ready(*in.dut);
        if (s.head != s.tail) why = kStuck;
    });
    each(Sources{}, [&](auto port) {
        Stream& s = in.streams[port.kStream];
        s.valid = port.valid(*in.dut);
        s.ready = port.ready(*in.dut);
        if (s.valid) why = kStuck;
        full |= s.full();
    });
    for (const Agent& agent : in.agents) {
        if (agent.pending()) why = kStuck;
    }
    return full ? kOutputFull : why;
}

// Whether the ring of a monitor, which cannot stall, is full.
inline bool monitor_full(const Instance& in) {
    bool full = false;
    each(Sources{}, [&](auto port) { full |= port.kMonitor && in.streams[port.kStream].full(); });
    return full;
}

// The number of cycles for which every memory's log has room.
inline uint64_t log_room(const Instance& in) {
    uint64_t least = UINT64_MAX;
    for (const Agent& agent : in.agents) least = std::min(least, agent.block.log_room());
    return least;
}

inline unsigned full_rings(const Streams& streams) {
    unsigned n = 0;
    each(Sources{}, [&](auto port) { n += streams[port.kStream].full(); });
    return n;
}

// The number of cycles in which no source's ring can overflow.
inline uint64_t room(const Streams& streams) {
    uint64_t least = UINT64_MAX;
    each(Sources{}, [&](auto port) {
        const Stream& s = streams[port.kStream];
        least = std::min(least, s.capacity - (s.tail - s.head));
    });
    return least;
}

inline bool stalls(const Streams& streams) {
    bool any = false;
    each(Sinks{}, [&](auto port) { any |= streams[port.kStream].staller.mode != kStallNone; });
    each(Sources{}, [&](auto port) { any |= streams[port.kStream].staller.mode != kStallNone; });
    return any;
}

// Runs until the cycles are used up or there is a reason to stop.
template <class C>
void stretch(Instance& in, uint64_t cycles) {
    Block& b = in.block;
    Vdut& dut = *in.dut;
    for (; cycles > 0 && b.why == kMaxCycles; cycles--) {
        bool held = false, moved = false;
        Clock::set(dut, 0);
        each(Sinks{}, [&](auto port) { held |= drive_sink<C, decltype(port)>(dut, in.streams[port.kStream]); });
        each(Sources{}, [&](auto port) { drive_source<C, decltype(port)>(dut, in.streams[port.kStream]); });
        each(Memories{}, [&](auto memory) {
            held |= in.agents[memory.kMemory].template drive<decltype(memory)>(dut, in.streams.data(), b.cycle);
        });
        dut.eval();
        each(Sinks{}, [&](auto port) {
            moved |= sample_sink<decltype(port)>(dut, in.streams[port.kStream], b.cycle);
        });
        each(Sources{}, [&](auto port) {
            moved |= sample_source<C, decltype(port)>(dut, in.streams[port.kStream], b.cycle);
        });
        each(Memories{}, [&](auto memory) {
            moved |= in.agents[memory.kMemory].template sample<decltype(memory)>(dut, in.streams.data(), b.cycle);
        });
        if (held | moved) {
            b.idle = 0;
        } else if (++b.idle >= b.idle_limit && b.idle_limit) {
            b.idle = 0;
            b.why = verdict(in);
        }
        for (const Agent& agent : in.agents) {
            if (agent.block.rule != kNoRule) b.why = kFailed;
        }
        in.edge<C::kHash>();
    }
}

// A ring that becomes full ends the run; one that was already full stalls its stream. If no ring is full, each stretch is
// short enough that no ring can overflow in it.
template <bool Hash>
void run(Instance& in) {
    Block& b = in.block;
    b.why = monitor_full(in) || log_room(in) == 0 ? kOutputFull : kMaxCycles;
    bool stalled = stalls(in.streams);
    for (uint64_t end = b.cycle + b.max_cycles; b.why == kMaxCycles && b.cycle < end;) {
        unsigned full = full_rings(in.streams);
        uint64_t cycles = std::min({room(in.streams), log_room(in), end - b.cycle});
        if (full > 0) {
            stretch<Cycle<true, true, Hash>>(in, 1);
        } else if (stalled) {
            stretch<Cycle<true, false, Hash>>(in, cycles);
        } else {
            stretch<Cycle<false, false, Hash>>(in, cycles);
        }
        if (b.why != kFailed && (full_rings(in.streams) > full || log_room(in) == 0)) b.why = kOutputFull;
    }
}

inline void reset(Instance& in) {
    Block& b = in.block;
    Vdut& dut = *in.dut;
    b.why = kMaxCycles;
    Reset::set(dut, 1);
    each(Sinks{}, [&](auto port) {
        if (port.valid(dut)) port.withdraw(dut);
        in.streams[port.kStream].valid = 0;
    });
    each(Sources{}, [&](auto port) {
        port.set_ready(dut, 0);
    });
    each(Memories{}, [&](auto memory) {
        in.agents[memory.kMemory].template reset<decltype(memory)>(dut, in.streams.data());
    });
    for (uint64_t end = b.cycle + b.max_cycles; b.cycle < end;) {
        Clock::set(dut, 0);
        dut.eval();
        in.edge<false>();
    }
    Reset::set(dut, 0);
}
