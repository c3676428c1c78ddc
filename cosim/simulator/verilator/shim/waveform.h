// Trace is the writer of a waveform, of one of the two kinds.
#pragma once

#if VM_TRACE_FST
#include "verilated_fst_c.h"

struct Trace final : VerilatedFstC {
    bool lost() const { return false; }  // its writer does not tell
};
#elif VM_TRACE_VCD
#include <cerrno>

#include "verilated_vcd_c.h"

// A waveform that cannot be written ends nothing. It is told at the end.
struct WaveformFile final : VerilatedVcdFile {
    bool lost = false;

    ssize_t write(const char* octets, ssize_t count) override {
        if (lost) return count;
        ssize_t n = VerilatedVcdFile::write(octets, count);
        lost = n < 0 && errno != EAGAIN && errno != EINTR;
        return lost ? count : n;
    }
};

struct WaveformOf {
    WaveformFile file;
};

class Trace final : WaveformOf, public VerilatedVcdC {
public:
    Trace() : VerilatedVcdC{&file} {}
    bool lost() const { return file.lost; }
};
#endif
