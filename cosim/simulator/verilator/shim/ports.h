// Moves bits between packed beats (64-bit words, the first field at bit 0) and the ports of a Verilated module.
// Offsets and widths are constants, so that each move becomes a few shifts.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "verilated.h"

// A list of the generated port types.
template <class... Ports>
struct Types {};

template <class... Ports, class F>
inline void each(Types<Ports...>, F&& f) {
    (f(Ports{}), ...);
}

// The fields of an AXI4 address channel.
struct Address {
    uint64_t id, address, beats, size, burst;
};

template <unsigned Width>
constexpr uint64_t kMask = ~uint64_t{0} >> (64 - Width);

template <unsigned Offset, unsigned Width>
inline uint64_t bits(const uint64_t* words) {
    constexpr unsigned word = Offset / 64, shift = Offset % 64;
    uint64_t v = words[word] >> shift;
    if constexpr (shift + Width > 64) v |= words[word + 1] << (64 - shift);
    return v & kMask<Width>;
}

// Adds a field to words that are zero there.
template <unsigned Offset, unsigned Width>
inline void add_bits(uint64_t* words, uint64_t value) {
    constexpr unsigned word = Offset / 64, shift = Offset % 64;
    words[word] |= value << shift;
    if constexpr (shift + Width > 64) words[word + 1] |= value >> (64 - shift);
}

// Stores word by word: the compiler would vectorize a loop, whose wide loads would stall on the narrow stores just made.
template <std::size_t... I>
inline void store_words(uint64_t* to, const uint64_t* words, std::index_sequence<I...>) {
    ((to[I] = words[I]), ...);
}

// The width of the I-th 32-bit part of a wide port.
template <unsigned Width, std::size_t I>
constexpr unsigned kPart = Width - 32 * I < 32 ? Width - 32 * I : 32;

template <unsigned Offset, unsigned Width, class T>
inline void put(const uint64_t* words, T& port) {
    port = static_cast<T>(bits<Offset, Width>(words));
}

template <unsigned Offset, unsigned Width, std::size_t N, std::size_t... I>
inline void put_parts(const uint64_t* words, VlWide<N>& port, std::index_sequence<I...>) {
    ((port[I] = static_cast<EData>(bits<Offset + 32 * I, kPart<Width, I>>(words))), ...);
}

// A wide port consists of 32-bit parts, low part first: on a little-endian machine, the layout of packed words.
constexpr bool kLittleEndian = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;

template <unsigned Offset, unsigned Width, std::size_t N>
inline void put(const uint64_t* words, VlWide<N>& port) {
    if constexpr (kLittleEndian && Offset % 64 == 0) {
        std::memcpy(&port[0], words + Offset / 64, 4 * N);
        if constexpr (Width % 32 != 0) port[N - 1] &= static_cast<EData>(kMask<Width % 32>);
    } else {
        put_parts<Offset, Width>(words, port, std::make_index_sequence<N>{});
    }
}

template <unsigned Offset, unsigned Width, class T>
inline void get(const T& port, uint64_t* words) {
    add_bits<Offset, Width>(words, port);
}

template <unsigned Offset, unsigned Width, std::size_t N, std::size_t... I>
inline void get_parts(const VlWide<N>& port, uint64_t* words, std::index_sequence<I...>) {
    (add_bits<Offset + 32 * I, kPart<Width, I>>(words, port[I]), ...);
}

template <unsigned Offset, unsigned Width, std::size_t N>
inline void get(const VlWide<N>& port, uint64_t* words) {
    if constexpr (kLittleEndian && Offset % 64 == 0) {
        std::memcpy(words + Offset / 64, &port[0], 4 * N);
    } else {
        get_parts<Offset, Width>(port, words, std::make_index_sequence<N>{});
    }
}

template <unsigned Width, class T>
inline void invert(T& port) {
    port = static_cast<T>(~uint64_t{port} & kMask<Width>);
}

template <unsigned Width, std::size_t N>
inline void invert(VlWide<N>& port) {
    for (std::size_t i = 0; i < N; i++) port[i] = ~port[i];
    port[N - 1] &= static_cast<EData>(kMask<Width - 32 * (N - 1)>);
}

constexpr uint64_t kHashStart = 0xCBF29CE484222325;

inline uint64_t mix(uint64_t h, uint64_t word) {
    h = (h ^ word) * 0x9E3779B97F4A7C15;
    return h << 29 | h >> 35;
}

template <unsigned Width, class T>
inline uint64_t hash(uint64_t h, const T& port) {
    return mix(h, port);
}

template <unsigned Width, std::size_t N>
inline uint64_t hash(uint64_t h, const VlWide<N>& port) {
    for (std::size_t i = 0; i < N; i += 2) {
        h = mix(h, port[i] | (i + 1 < N ? uint64_t{port[i + 1]} << 32 : 0));
    }
    return h;
}
