// One instance of the module, with its state.
#pragma once
#include <memory>
#include <vector>

#include "batch.h"
#include "coverage.h"
#include "design.h"
#include "memory.h"
#include "waveform.h"

using Streams = std::array<Stream, kStreamWords.size()>;

struct Instance {
    Block block{};
    Streams streams{};
    std::array<Agent, kMemories> agents;
    std::vector<std::unique_ptr<uint64_t[]>> rings;
    std::unique_ptr<VerilatedContext> context;
    std::unique_ptr<Vdut> dut;
#if VM_TRACE
    std::unique_ptr<Trace> trace;
#endif
    Coverage coverage;

    uint64_t* allocate(uint64_t words) {
        rings.emplace_back(new uint64_t[words]());
        return rings.back().get();
    }

    // Called once the logic has settled: updates the trace hash and the port coverage, then raises the clock. A cycle takes
    // 10 ps in a waveform, with the rising edge in the middle.
    template <bool Hash>
    void edge() {
        if (Hash) block.hash = hash_ports(*dut, block.hash);
        dump(10 * block.cycle);
        coverage.sample();
        Clock::set(*dut, 1);
        dut->eval();
        dump(10 * block.cycle + 5);
        block.cycle++;
    }

    void dump([[maybe_unused]] uint64_t time) {
#if VM_TRACE
        trace->dump(time);
#endif
    }
};
