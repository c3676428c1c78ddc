// The functions called by Go. No exception escapes from them.
#pragma once
#include <cstdio>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

#include "driver.h"
#include "plain.h"

#define EXPORT extern "C" __attribute__((visibility("default")))

// Verilator's own versions terminate the process.
void vl_fatal(const char* file, int line, const char*, const char* message) {
    throw std::runtime_error(std::string(file ? file : "") + ":" + std::to_string(line) + ": " + message);
}
void vl_stop(const char* file, int line, const char* scope) { vl_fatal(file, line, scope, "$stop"); }
void vl_finish(const char* file, int line, const char* scope) { vl_fatal(file, line, scope, "$finish"); }

template <class F>
static void guard(Instance* in, F&& f) {
    try {
        f();
    } catch (const std::exception& e) {
        in->block.why = kFailed;
        std::snprintf(in->block.message, sizeof in->block.message, "%s", e.what());
    }
}

// Returns null if memory is exhausted or the trace file cannot be written.
EXPORT Instance* dut_open(uint64_t buffer, uint64_t stamps, uint64_t random_init, uint64_t seed,
                          [[maybe_unused]] const char* trace) {
    try {
        auto in = std::make_unique<Instance>();
        in->context = std::make_unique<VerilatedContext>();
        if (random_init) {
            in->context->randReset(2);
            in->context->randSeed(static_cast<int>(seed % 0x7FFFFFFF) + 1);
        }
#if VM_TRACE
        in->context->traceEverOn(true);
#endif
        in->dut = std::make_unique<Vdut>(in->context.get(), "");
        in->coverage.open(*in->context, *in->dut);
#if VM_TRACE
        in->trace = std::make_unique<Trace>();
        in->dut->trace(in->trace.get(), 99);
        in->trace->open(trace);
        if (!in->trace->isOpen()) return nullptr;
#endif
        for (std::size_t i = 0; i < kStreamWords.size(); i++) {
            Stream& s = in->streams[i];
            s.capacity = buffer;
            s.words = kStreamWords[i];
            s.data = in->allocate(buffer * s.words);
            if (stamps && s.words) s.stamps = in->allocate(buffer);
        }
        return in.release();
    } catch (const std::exception&) {
        return nullptr;
    }
}

EXPORT Block* dut_block(Instance* in) { return &in->block; }
EXPORT Stream* dut_streams(Instance* in) { return in->streams.data(); }
EXPORT MemoryBlock* dut_memory(Instance* in, uint64_t memory) { return &in->agents[memory].block; }

EXPORT void dut_memory_read(Instance* in, uint64_t memory, uint64_t address, uint8_t* bytes, uint64_t count) {
    in->agents[memory].pages.read(address, bytes, count);
}

EXPORT void dut_memory_write(Instance* in, uint64_t memory, uint64_t address, const uint8_t* bytes, uint64_t count) {
    guard(in, [&] { in->agents[memory].pages.write(address, bytes, count); });
}

EXPORT void dut_run(Instance* in, uint64_t hash) {
    guard(in, [&] { hash ? run<true>(*in) : run<false>(*in); });
}

EXPORT void dut_reset(Instance* in) {
    guard(in, [&] { reset(*in); });
}

EXPORT void dut_set(Instance* in, uint64_t port, const uint64_t* words) { set_port(*in->dut, port, words); }

EXPORT void dut_get(Instance* in, uint64_t port, uint64_t* words) {
    guard(in, [&] {
        in->dut->eval();
        get_port(*in->dut, port, words);
    });
}

EXPORT void dut_plain(Instance* in, PlainStream* streams, uint64_t cycles, uint64_t sum) {
    guard(in, [&] { sum ? plain_loop<true>(*in, streams, cycles) : plain_loop<false>(*in, streams, cycles); });
}

#if VM_COVERAGE
EXPORT const CoverageBlock* dut_coverage(Instance* in) { return &in->coverage.block(); }
EXPORT void dut_coverage_write(Instance* in, const char* path) {
    guard(in, [&] { in->context->coveragep()->write(path); });
}
#endif

// Returns 1 if the waveform is incomplete, else 0.
EXPORT uint64_t dut_close(Instance* in) {
    uint64_t lost = 0;
#if VM_TRACE
    in->trace->close();
    lost = in->trace->lost();
#endif
    Verilated::threadContextp(in->context.get());  // dut_open may have run on another thread
    delete in;
    return lost;
}
