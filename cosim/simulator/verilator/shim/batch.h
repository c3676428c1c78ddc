// The state shared with Go, which declares the same structs, and the stall generators. All fields are 64 bits wide.
#pragma once
#include <cstdint>

enum Why : uint64_t { kMaxCycles, kOutputFull, kQuiet, kStuck, kFailed };
enum StallMode : uint64_t { kStallNone, kStallRandom, kStallBursts };

struct Block {
    uint64_t cycle;
    uint64_t max_cycles;
    uint64_t idle_limit;
    uint64_t idle;
    uint64_t hash;
    uint64_t why;
    char message[256];
};

// xorshift64.
inline uint64_t draw(uint64_t& random) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    return random;
}

// Decides whether a stream stalls in this cycle, from an xorshift64 generator per stream.
struct Staller {
    uint64_t random;
    uint64_t mode;
    uint64_t chance;  // out of 256
    uint64_t burst;   // remaining cycles of the current run
    uint64_t stalled;

    bool stall() {
        if (mode == kStallNone) return false;
        if (mode == kStallRandom) return draw(random) >> 56 < chance;
        if (burst == 0) {
            uint64_t r = draw(random);
            stalled = r >> 56 < chance;
            burst = 1 + (r >> 32 & 63);
        }
        burst--;
        return stalled;
    }
};

// The ring buffer of one stream: beat n is in slot n mod capacity.
struct Stream {
    uint64_t* data;
    uint64_t* stamps;
    uint64_t capacity;
    uint64_t words;
    uint64_t head;
    uint64_t tail;
    uint64_t read;
    uint64_t offered;
    uint64_t valid;
    uint64_t ready;
    Staller staller;

    bool full() const { return tail - head == capacity; }
    uint64_t slot(uint64_t beat) const { return beat & (capacity - 1); }
    void stamp(uint64_t beat, uint64_t cycle) {
        if (stamps) stamps[slot(beat)] = cycle;
    }
};
