// Trace writes a waveform in one of the two formats.
#pragma once

#if VM_TRACE_FST
#include "verilated_fst_c.h"

struct Trace final : VerilatedFstC {
    bool lost() const { return false; }  // the writer does not report errors
};
#elif VM_TRACE_VCD
#include <cerrno>

#include "verilated_vcd_c.h"

// A waveform that cannot be written does not end the run; the loss is reported at the end.
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
