// The memory of an AXI4 master of the module. It has an equivalent in Go (internal/batch); the two must agree in every
// cycle, including draws of random numbers.
#pragma once
#include <algorithm>
#include <memory>
#include <unordered_map>
#include <vector>

#include "batch.h"
#include "ports.h"

constexpr uint64_t kPageBytes = 4096, kMaxOutstanding = 1024, kMaxErrorRanges = 16, kMaxIds = 64;

enum Rule : uint64_t { kNoRule, kValidFell, kUnstable, kUnaligned, kSize, kBurst, kBoundary, kLast, kBounds };

// AXI4 responses of a memory; DECERR is SLVERR + 1.
constexpr uint64_t kOkay = 0, kSlverr = 2;

struct Effect {
    uint64_t cycle, write, id, address, bytes, error;
};

struct Range {
    uint64_t first, last, reads, writes, decode;

    bool is(bool write) const { return write ? writes : reads; }

    // Whether any of the bytes is in the range, or all of them are.
    bool touches(uint64_t address, uint64_t bytes, bool write) const {
        return is(write) && address <= last && address + bytes - 1 >= first;
    }
    bool covers(uint64_t address, uint64_t bytes, bool write) const {
        return is(write) && address >= first && address + bytes - 1 <= last;
    }
};

inline uint64_t draw_latency(uint64_t& random, uint64_t least, uint64_t most) {
    return least + ((draw(random) >> 32) * (most - least + 1) >> 32);
}

// Shared with Go, which declares the same struct.
struct MemoryBlock {
    uint64_t read_least, read_most;
    uint64_t write_least, write_most;
    uint64_t read_random;
    uint64_t write_random;
    uint64_t turn_random;
    uint64_t outstanding;
    uint64_t interleave;
    uint64_t late_ready;
    Effect* log;
    uint64_t log_capacity;
    uint64_t log_head, log_tail;
    uint64_t rule;
    uint64_t channel;
    uint64_t rule_cycle;
    uint64_t rule_address;
    uint64_t rule_beats;
    uint64_t error_count;
    Range errors[kMaxErrorRanges];
    Range* bounds;
    uint64_t bound_count;
    uint64_t slow_least, slow_most;  // latency of the slow ranges
    uint64_t slow_count;
    Range slow[kMaxErrorRanges];

    // The number of cycles for which the log has room.
    uint64_t log_room() const { return log_capacity ? (log_capacity - (log_tail - log_head)) / 2 : UINT64_MAX; }

    void keep(const Effect& e) {
        if (log_capacity) log[log_tail++ % log_capacity] = e;
    }

    void violate(Rule broken, uint64_t stream, uint64_t cycle, uint64_t address, uint64_t beats) {
        if (rule != kNoRule) return;
        rule = broken;
        channel = stream;
        rule_cycle = cycle;
        rule_address = address;
        rule_beats = beats;
    }

    // The response of a beat: an error if it touches an error range.
    uint64_t response(uint64_t address, uint64_t bytes, bool write) const {
        for (uint64_t i = 0; i < error_count; i++) {
            if (errors[i].touches(address, bytes, write)) return kSlverr + errors[i].decode;
        }
        return kOkay;
    }

    // The latency of a burst.
    uint64_t write_latency(uint64_t address, uint64_t bytes) {
        if (is_slow(address, bytes, true)) return draw_latency(write_random, slow_least, slow_most);
        return draw_latency(write_random, write_least, write_most);
    }
    uint64_t read_latency(uint64_t address, uint64_t bytes) {
        if (is_slow(address, bytes, false)) return draw_latency(read_random, slow_least, slow_most);
        return draw_latency(read_random, read_least, read_most);
    }
    bool is_slow(uint64_t address, uint64_t bytes, bool write) const {
        return std::any_of(slow, slow + slow_count, [&](auto& r) { return r.touches(address, bytes, write); });
    }

    // Whether all bytes are within one of the bounds, or any of them is.
    bool covered(uint64_t address, uint64_t bytes, bool write) const {
        return std::any_of(bounds, bounds + bound_count, [&](auto& r) { return r.covers(address, bytes, write); });
    }
    bool touched(uint64_t address, uint64_t bytes, bool write) const {
        return std::any_of(bounds, bounds + bound_count, [&](auto& r) { return r.touches(address, bytes, write); });
    }
};

// The written bytes of a memory, in pages of 4 KiB; all others are zero.
class Pages {
public:
    // The page of an address, null if nothing was written there.
    uint8_t* find(uint64_t address) {
        uint64_t number = address / kPageBytes;
        Entry& e = recent_[number % kRecent];
        if (e.page && e.number == number) return e.page;
        auto found = pages_.find(number);
        if (found == pages_.end()) return nullptr;
        e = {number, found->second.get()};
        return e.page;
    }

    uint8_t* touch(uint64_t address) {
        if (uint8_t* page = find(address)) return page;
        uint64_t number = address / kPageBytes;
        auto& page = pages_[number];
        page.reset(new uint8_t[kPageBytes]());
        recent_[number % kRecent] = {number, page.get()};
        return page.get();
    }

    void read(uint64_t address, uint8_t* bytes, uint64_t count) {
        while (count > 0) {
            uint64_t n = std::min(count, kPageBytes - address % kPageBytes);
            if (const uint8_t* page = find(address)) {
                std::memcpy(bytes, page + address % kPageBytes, n);
            } else {
                std::memset(bytes, 0, n);
            }
            address += n, bytes += n, count -= n;
        }
    }

    void write(uint64_t address, const uint8_t* bytes, uint64_t count) {
        while (count > 0) {
            uint64_t n = std::min(count, kPageBytes - address % kPageBytes);
            std::memcpy(touch(address) + address % kPageBytes, bytes, n);
            address += n, bytes += n, count -= n;
        }
    }

private:
    struct Entry {
        uint64_t number;
        uint8_t* page;
    };
    static constexpr uint64_t kRecent = 64;
    std::unordered_map<uint64_t, std::unique_ptr<uint8_t[]>> pages_;
    Entry recent_[kRecent]{};
};

// A held burst.
struct Burst {
    uint64_t id, address, beats, due;
    uint64_t next;           // of a read: beats sent
    uint64_t response;       // of a write
    uint8_t responses[256];  // of a read: per beat
    alignas(64) uint64_t data[kPageBytes / 8];
    uint64_t strobes[256];  // whole words per beat
};

// The bursts of one direction, in the order in which they are due; those already in effect come first.
class Held {
public:
    Held() : bursts_(new Burst[kMaxOutstanding]) { empty(); }

    void empty() {
        count_ = applied_ = 0;
        frees_ = kMaxOutstanding;
        for (uint64_t i = 0; i < kMaxOutstanding; i++) free_[i] = kMaxOutstanding - 1 - i;
        std::fill_n(latest_, kMaxIds, 0);
    }

    bool room(uint64_t outstanding) const { return kMaxOutstanding - frees_ < outstanding; }
    uint16_t take() { return free_[--frees_]; }
    Burst& burst(uint16_t slot) { return bursts_[slot]; }
    Burst& at(uint64_t place) { return bursts_[order_[place]]; }
    uint64_t count() const { return count_; }
    uint64_t applied() const { return applied_; }

    // Inserts a burst in due order, after those due in the same cycle.
    void schedule(uint16_t slot, uint64_t due) {
        Burst& b = burst(slot);
        b.due = latest_[b.id] = std::max(due, latest_[b.id]);
        uint64_t at = count_++;
        for (; at > 0 && burst(order_[at - 1]).due > b.due; at--) order_[at] = order_[at - 1];
        order_[at] = slot;
    }

    // The burst that takes effect in a cycle, null if there is none.
    Burst* due(uint64_t cycle) {
        if (applied_ == count_ || at(applied_).due > cycle) return nullptr;
        return &at(applied_++);
    }

    // Removes the burst at a position of the order.
    void release(uint64_t place) {
        free_[frees_++] = order_[place];
        std::copy(order_ + place + 1, order_ + count_, order_ + place);
        count_--;
        applied_--;
    }

private:
    std::unique_ptr<Burst[]> bursts_;
    uint16_t free_[kMaxOutstanding];  // the last one is used first
    uint16_t order_[kMaxOutstanding];
    uint64_t frees_, count_, applied_;
    uint64_t latest_[kMaxIds];  // by ID, when the last burst is due
};

// The state of a channel driven by the module.
struct Offer {
    bool room;             // the agent could take a beat
    bool waiting;          // the beat was offered in the previous cycle but not taken
    uint64_t beat[64];     // the offered beat
};

class Agent {
public:
    MemoryBlock block{};
    Pages pages;

    // Applies the bursts that are due and sets the pins of a cycle. Returns whether a burst waits for its latency or a stall.
    template <class M>
    bool drive(Vdut& dut, Stream* streams, uint64_t cycle) {
        bool held = false;
        if constexpr (M::kWrites) held |= drive_writes<M>(dut, streams, cycle);
        if constexpr (M::kReads) held |= drive_reads<M>(dut, streams, cycle);
        return held;
    }

    // Samples the handshakes once the logic has settled. Returns whether there was one, or only a stall prevented one.
    template <class M>
    bool sample(Vdut& dut, Stream* streams, uint64_t cycle) {
        bool moved = false;
        if constexpr (M::kWrites) moved |= sample_writes<M>(dut, streams, cycle);
        if constexpr (M::kReads) moved |= sample_reads<M>(dut, streams, cycle);
        return moved;
    }

    template <class M>
    void reset(Vdut& dut, Stream* streams) {
        writes_.empty();
        reads_.empty();
        opened_ = addressed_ = filled_ = complete_ = beat_ = 0;
        aw_.waiting = w_.waiting = ar_.waiting = false;
        if constexpr (M::kWrites) {
            M::AW::set_ready(dut, false);
            M::W::set_ready(dut, false);
            silence<typename M::B>(dut, streams);
        }
        if constexpr (M::kReads) {
            M::AR::set_ready(dut, false);
            silence<typename M::R>(dut, streams);
        }
    }

    // Whether any burst is in flight.
    bool pending() const {
        return opened_ > complete_ || writes_.count() || reads_.count() || aw_.waiting || w_.waiting || ar_.waiting;
    }

private:
    Held writes_, reads_;
    uint16_t slots_[kMaxOutstanding];  // by number of the write, valid from complete_ to opened_
    uint64_t opened_ = 0;              // writes with an address or data accepted
    uint64_t addressed_ = 0;           // writes whose address was accepted
    uint64_t filled_ = 0;              // writes whose data was accepted
    uint64_t complete_ = 0;            // writes with both accepted
    uint64_t beat_ = 0;                // accepted beats of the write being filled
    uint64_t turn_ = 0;                // position in order of the read whose beat is on R
    Offer aw_{}, w_{}, ar_{};

    template <class Port>
    void silence(Vdut& dut, Stream* streams) {
        if (Port::valid(dut)) Port::withdraw(dut);
        streams[Port::kStream].valid = 0;
    }

    template <class Port>
    void invite(Vdut& dut, Stream* streams, Offer& o, bool room) {
        Stream& s = streams[Port::kStream];
        o.room = room;
        s.ready = room & !s.staller.stall() & (!block.late_ready | o.waiting);
        Port::set_ready(dut, s.ready);
    }

    // Samples a channel of the module: whether a beat is offered, is offered for the first time, and is transferred.
    struct Seen {
        bool valid, fresh, handed;
    };
    template <class Port>
    Seen observe(const Vdut& dut, Stream* streams, Offer& o, uint64_t cycle) {
        static_assert(Port::kWords <= sizeof o.beat / sizeof *o.beat);
        Stream& s = streams[Port::kStream];
        bool waited = o.waiting;
        s.valid = Port::valid(dut);
        if (!s.valid) {
            if (waited) block.violate(kValidFell, Port::kStream, cycle, 0, 0);
            o.waiting = false;
            return {false, false, false};
        }
        s.offered++;
        o.waiting = !s.ready;
        if (waited | o.waiting) {
            uint64_t now[Port::kWords];
            Port::collect(dut, now);
            if (waited && std::memcmp(now, o.beat, sizeof now) != 0) block.violate(kUnstable, Port::kStream, cycle, 0, 0);
            std::memcpy(o.beat, now, sizeof now);
        }
        if (o.waiting) return {true, !waited, false};
        s.head++;
        s.tail++;
        return {true, !waited, true};
    }

    static bool moves(const Offer& o, Seen seen) { return seen.handed || (seen.valid && o.room); }

    template <class M>
    void check(const Address& a, uint64_t stream, uint64_t cycle) {
        Rule rule = kNoRule;
        if (uint64_t{1} << a.size != M::kBytes) {
            rule = kSize;
        } else if (a.burst != 1) {
            rule = kBurst;
        } else if (a.address % M::kBytes != 0) {
            rule = kUnaligned;
        } else if (a.address % kPageBytes + a.beats * M::kBytes > kPageBytes) {
            rule = kBoundary;
        }
        if (rule != kNoRule) block.violate(rule, stream, cycle, a.address, a.beats);
    }

    // Checks that a write has no strobe on a byte out of bounds.
    template <class M>
    void strays(const Burst& b, uint64_t cycle) {
        constexpr uint64_t words = (M::kBytes + 63) / 64;
        if (block.covered(b.address, b.beats * M::kBytes, true)) return;
        for (uint64_t i = 0; i < b.beats * M::kBytes; i++) {
            uint64_t beat = i / M::kBytes, lane = i % M::kBytes;
            if ((b.strobes[beat * words + lane / 64] >> lane % 64 & 1) && !block.covered(b.address + i, 1, true)) {
                return block.violate(kBounds, M::W::kStream, cycle, b.address, beat + 1);
            }
        }
    }

    // Checks that no beat of a read is entirely out of bounds.
    template <class M>
    void peeks(const Burst& b, uint64_t cycle) {
        for (uint64_t i = 0; i < b.beats; i++) {
            if (!block.touched(b.address + i * M::kBytes, M::kBytes, false)) {
                return block.violate(kBounds, M::AR::kStream, cycle, b.address, i + 1);
            }
        }
    }

    template <class Port>
    static bool responded(const Vdut& dut, Stream* streams) {
        Stream& s = streams[Port::kStream];
        s.ready = Port::ready(dut);
        s.offered += s.valid;
        if (!(s.valid & s.ready)) return false;
        s.head++;
        s.tail++;
        s.valid = 0;
        return true;
    }

    template <class M>
    bool drive_writes(Vdut& dut, Stream* streams, uint64_t cycle) {
        bool held = false;
        if (Burst* b = writes_.due(cycle)) {
            store<M>(*b);
            block.keep({cycle, 1, b->id, b->address, b->beats * M::kBytes, b->response != kOkay});
            held = true;
        }
        held |= writes_.applied() < writes_.count();

        Stream& s = streams[M::B::kStream];
        bool stall = s.staller.stall();
        if (s.valid) {  // still offered
        } else if (writes_.applied() > 0 && !stall) {
            const Burst& b = writes_.at(0);
            M::respond(dut, b.id, b.response);
            s.valid = 1;
        } else {
            silence<typename M::B>(dut, streams);
            held |= writes_.applied() > 0;
        }

        bool room = writes_.room(block.outstanding);
        invite<typename M::AW>(dut, streams, aw_, room || addressed_ < opened_);
        invite<typename M::W>(dut, streams, w_, room || filled_ < opened_);
        return held;
    }

    // The effect of a write.
    template <class M>
    void store(Burst& b) {
        constexpr uint64_t words = (M::kBytes + 63) / 64;
        uint8_t* to = pages.touch(b.address) + b.address % kPageBytes;
        const uint8_t* from = reinterpret_cast<const uint8_t*>(b.data);
        for (uint64_t i = 0; i < b.beats; i++, to += M::kBytes, from += M::kBytes) {
            if (uint64_t response = block.response(b.address + i * M::kBytes, M::kBytes, true)) {
                if (b.response == kOkay) b.response = response;
                continue;
            }
            for (uint64_t j = 0; j < M::kBytes; j += 8) {
                uint64_t strobes = b.strobes[i * words + j / 64] >> j % 64 & 0xFF;
                if (strobes == 0xFF) {
                    std::memcpy(to + j, from + j, 8);
                    continue;
                }
                for (uint64_t k = 0; strobes; k++, strobes >>= 1) {
                    if (strobes & 1) to[j + k] = from[j + k];
                }
            }
        }
    }

    template <class M>
    bool sample_writes(Vdut& dut, Stream* streams, uint64_t cycle) {
        Seen aw = observe<typename M::AW>(dut, streams, aw_, cycle);
        if (aw.valid) {
            Address a = M::aw(dut);
            if (aw.fresh) check<M>(a, M::AW::kStream, cycle);
            if (aw.handed) accept_address<M>(a, cycle);
        }
        Seen w = observe<typename M::W>(dut, streams, w_, cycle);
        if (w.handed) accept_data<M>(dut, cycle);
        if (complete_ < std::min(addressed_, filled_) && block.rule == kNoRule) {  // a burst that breaks rules may have no slot
            uint16_t slot = slots_[complete_++ % kMaxOutstanding];
            if (block.bound_count) strays<M>(writes_.burst(slot), cycle);
            const Burst& b = writes_.burst(slot);
            writes_.schedule(slot, cycle + block.write_latency(b.address, b.beats * M::kBytes));
        }
        bool response = responded<typename M::B>(dut, streams);
        if (response) writes_.release(0);
        return moves(aw_, aw) | moves(w_, w) | response;
    }

    // The burst with this number; a new one if neither its address nor any data was accepted yet.
    Burst& open(uint64_t number) {
        if (number == opened_) {
            uint16_t slot = writes_.take();
            slots_[number % kMaxOutstanding] = slot;
            writes_.burst(slot).response = kOkay;
            opened_++;
        }
        return writes_.burst(slots_[number % kMaxOutstanding]);
    }

    template <class M>
    void accept_address(const Address& a, uint64_t cycle) {
        Burst& b = open(addressed_);
        b.id = a.id;
        b.address = a.address;
        bool whole = addressed_ < filled_, begun = addressed_ == filled_;
        uint64_t got = whole ? b.beats : beat_;  // accepted data beats
        if ((whole && got != a.beats) || (begun && got >= a.beats)) {
            block.violate(kLast, M::W::kStream, cycle, a.address, got);
        }
        b.beats = a.beats;
        addressed_++;
    }

    template <class M>
    void accept_data(const Vdut& dut, uint64_t cycle) {
        constexpr uint64_t words = M::kBytes / 8, strobe_words = (M::kBytes + 63) / 64;
        Burst& b = open(filled_);
        M::wdata(dut, b.data + beat_ * words);
        M::wstrb(dut, b.strobes + beat_ * strobe_words);
        bool last = M::wlast(dut);
        beat_++;
        if (filled_ < addressed_) {
            if (last != (beat_ == b.beats)) block.violate(kLast, M::W::kStream, cycle, b.address, beat_);
        } else if (!last && (beat_ == 256 || beat_ * M::kBytes == kPageBytes)) {
            block.violate(kLast, M::W::kStream, cycle, 0, beat_);  // longer than any burst
        }
        if (last) {
            if (filled_ >= addressed_) b.beats = beat_;  // until the address gives the expected number
            filled_++;
            beat_ = 0;
        }
    }

    template <class M>
    bool drive_reads(Vdut& dut, Stream* streams, uint64_t cycle) {
        bool held = false;
        if (Burst* b = reads_.due(cycle)) {
            bool failed = fetch<M>(*b);
            block.keep({cycle, 0, b->id, b->address, b->beats * M::kBytes, failed});
            held = true;
        }
        held |= reads_.applied() < reads_.count();

        Stream& s = streams[M::R::kStream];
        bool stall = s.staller.stall();
        if (s.valid) {  // still offered
        } else if (reads_.applied() > 0 && !stall) {
            turn_ = choose_turn();
            const Burst& b = reads_.at(turn_);
            M::deliver(dut, b.id, b.data + b.next * (M::kBytes / 8), b.responses[b.next], b.next + 1 == b.beats);
            s.valid = 1;
        } else {
            silence<typename M::R>(dut, streams);
            held |= reads_.applied() > 0;
        }
        invite<typename M::AR>(dut, streams, ar_, reads_.room(block.outstanding));
        return held;
    }

    // The effect of a read.
    template <class M>
    bool fetch(Burst& b) {
        pages.read(b.address, reinterpret_cast<uint8_t*>(b.data), b.beats * M::kBytes);
        b.next = 0;
        std::fill_n(b.responses, b.beats, kOkay);
        bool failed = false;
        for (uint64_t i = 0; block.error_count && i < b.beats; i++) {
            b.responses[i] = block.response(b.address + i * M::kBytes, M::kBytes, false);
            if (b.responses[i] == kOkay) continue;
            failed = true;
            for (uint64_t j = 0; j < M::kBytes / 8; j++) b.data[i * (M::kBytes / 8) + j] ^= ~uint64_t{0};
        }
        return failed;
    }

    // The position of the burst that sends the next beat on R: the first one or, with interleaving, the first of some ID.
    uint64_t choose_turn() {
        if (!block.interleave) return 0;
        uint64_t places[kMaxIds], n = 0, seen = 0;
        for (uint64_t i = 0; i < reads_.applied(); i++) {
            uint64_t id = uint64_t{1} << reads_.at(i).id;
            if (seen & id) continue;
            seen |= id;
            places[n++] = i;
        }
        return n == 1 ? places[0] : places[(draw(block.turn_random) >> 32) * n >> 32];
    }

    template <class M>
    bool sample_reads(Vdut& dut, Stream* streams, uint64_t cycle) {
        Seen ar = observe<typename M::AR>(dut, streams, ar_, cycle);
        if (ar.valid) {
            Address a = M::ar(dut);
            if (ar.fresh) check<M>(a, M::AR::kStream, cycle);
            if (ar.handed) {
                uint16_t slot = reads_.take();
                Burst& b = reads_.burst(slot);
                b.id = a.id;
                b.address = a.address;
                b.beats = a.beats;
                if (block.bound_count) peeks<M>(b, cycle);
                reads_.schedule(slot, cycle + block.read_latency(b.address, b.beats * M::kBytes));
            }
        }
        bool response = responded<typename M::R>(dut, streams);
        if (response) {
            Burst& b = reads_.at(turn_);
            if (++b.next == b.beats) reads_.release(turn_);
        }
        return moves(ar_, ar) | response;
    }
};
