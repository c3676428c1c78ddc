// Coverage of a run. Verilator counts lines; this records per bit of each port whether it rose and whether it fell, which
// Verilator's toggle counters do not distinguish.
#pragma once
#include "Vdut.h"

#if VM_COVERAGE
#include <string>
#include <vector>

#include "Vdut__Syms.h"
#include "verilated_cov.h"
#include "verilated_syms.h"

struct CoverageBlock {
    const char* names;  // a line for each port: path, name, width
    uint64_t names_size;
    const uint64_t* rose;
    const uint64_t* fell;
    uint64_t words;
    const uint32_t* counts;
    uint64_t points;
};

// A module without coverage points has no counters.
template <class Syms>
auto counters(Syms& s, CoverageBlock& b, int) -> decltype(s.__Vcoverage, void()) {
    b.counts = reinterpret_cast<const uint32_t*>(s.__Vcoverage);
    b.points = sizeof s.__Vcoverage / sizeof s.__Vcoverage[0];
}
template <class Syms>
void counters(Syms&, CoverageBlock&, long) {}

class Coverage {
  public:
    // The ports are the variables that the configuration file makes public; Verilator lists them per scope.
    void open(VerilatedContext& context, Vdut& dut) {
        for (const auto& entry : *context.scopeNameMap()) {
            const VerilatedScope* scope = entry.second;
            if (!scope->varsp()) continue;
            for (auto& [name, var] : *scope->varsp()) {
                const uint64_t width = var.packed().elements();
                pins_.push_back({var.datap(), octets(var.vltype()), (width + 31) / 32});
                names_ += std::string(scope->name()) + " " + name + " " + std::to_string(width) + "\n";
                words_ += (width + 63) / 64;
            }
        }
        for (auto* v : {&old_, &rose_, &fell_}) v->resize(words_);
        block_ = {names_.data(), names_.size(), rose_.data(), fell_.data(), words_, nullptr, 0};
        counters(*dut.rootp->vlSymsp, block_, 0);
    }

    // Called once the logic has settled.
    void sample() {
        uint64_t* old = old_.data();
        uint64_t* rose = rose_.data();
        uint64_t* fell = fell_.data();
        const auto word = [&](uint64_t is) {
            const uint64_t was = *old;
            *rose++ |= is & ~was & since_;
            *fell++ |= was & ~is & since_;
            *old++ = is;
        };
        for (const Pin& p : pins_) {
            switch (p.octets) {
                case 1: word(*static_cast<const CData*>(p.data)); break;
                case 2: word(*static_cast<const SData*>(p.data)); break;
                case 4: word(*static_cast<const IData*>(p.data)); break;
                case 8: word(*static_cast<const QData*>(p.data)); break;
                default: {
                    const WData* wide = static_cast<const WData*>(p.data);
                    for (uint64_t i = 0; i < p.parts; i += 2) word(wide[i] | (i + 1 < p.parts ? uint64_t{wide[i + 1]} << 32 : 0));
                }
            }
        }
        since_ = ~uint64_t{0};
    }

    const CoverageBlock& block() const { return block_; }

  private:
    struct Pin {
        const void* data;
        unsigned octets;  // of a part; 0: an array of 32-bit words
        uint64_t parts;
    };
    static unsigned octets(VerilatedVarType type) {
        switch (type) {
            case VLVT_UINT8: return 1;
            case VLVT_UINT16: return 2;
            case VLVT_UINT32: return 4;
            case VLVT_UINT64: return 8;
            default: return 0;
        }
    }

    std::vector<Pin> pins_;
    std::string names_;
    std::vector<uint64_t> old_, rose_, fell_;
    uint64_t words_ = 0, since_ = 0;  // the first sample has no predecessor
    CoverageBlock block_{};
};
#else
struct Coverage {
    void open(VerilatedContext&, Vdut&) {}
    void sample() {}
};
#endif
