// The moves. Bits are moved with no knowledge of the format: a step of the code is a step of the value in all of them.
#include "harness/fuzz/mutate.hpp"

#include <algorithm>

namespace normcheck {
namespace {

template <class Table>
auto& pick(Table& table, Stream& stream) {
    return table[static_cast<size_t>(next_below(stream, std::ssize(table)))];
}

uint32_t random_code(Stream& stream) {
    return static_cast<uint32_t>(next(stream) >> 32);
}

/// Up to `most` in either direction, never 0. The order of the draws is fixed here, as it is not within an expression.
int random_step(int most, Stream& stream) {
    const int sign = random_sign(stream);
    return sign * static_cast<int>(1 + next_below(stream, most));
}

const DraftFieldInfo& field_info(DraftField field) {
    return draft_fields()[static_cast<size_t>(field)];
}

int drawn(const DraftFieldInfo& info, Stream& stream) {
    return info.lowest + static_cast<int>(next_below(stream, int64_t{info.highest} - info.lowest + 1));
}

void move_field(Draft& draft, Stream& stream) {
    const auto field = static_cast<size_t>(next_below(stream, draft_field_count));
    const DraftFieldInfo& info = draft_fields()[field];
    int& value = draft.fields[field];
    switch (next_below(stream, 8)) {
        case 0:
            value = info.default_value;
            return;
        case 1:
        case 2:
            value = drawn(info, stream);
            return;
        case 3:
            value += random_step(16, stream);
            break;
        default:
            value += random_step(2, stream);
    }
    value = std::clamp(value, info.lowest, info.highest);
}

/// The numbers that decide where a row lies relative to eps and to the formats' ends.
void move_scale(Draft& draft, Stream& stream) {
    static constexpr DraftField scales[] = {DraftField::x_scale, DraftField::x_offset,     DraftField::x_spikes,
                                            DraftField::x_spike, DraftField::x_steps,      DraftField::cols,
                                            DraftField::seed,    DraftField::eps_exponent, DraftField::eps_significand,
                                            DraftField::x_fill};
    const DraftField field = pick(scales, stream);
    const DraftFieldInfo& info = field_info(field);
    const int reach = 1 << next_below(stream, 6);
    draft[field] = std::clamp(draft[field] + random_step(reach, stream), info.lowest, info.highest);
}

void step_codes(std::vector<uint32_t>& codes, Stream& stream) {
    const auto step = static_cast<uint32_t>(random_step(3, stream));
    if (next_below(stream, 4) == 0) {
        for (uint32_t& code : codes) code += step;
    } else {
        pick(codes, stream) += step;
    }
}

/// One of the moves on codes that are there.
void move_codes(std::vector<uint32_t>& codes, Stream& stream) {
    switch (next_below(stream, 7)) {
        case 0:
            codes.clear();
            return;
        case 1:
            codes.resize(1 + static_cast<size_t>(next_below(stream, std::ssize(codes))));
            return;
        case 2:
            if (codes.size() < most_draft_bits) codes.push_back(codes[codes.size() / 2]);
            return;
        case 3:
            pick(codes, stream) ^= uint32_t{1} << next_below(stream, 32);
            return;
        case 4:
            std::ranges::rotate(codes, codes.begin() + next_below(stream, std::ssize(codes)));
            return;
        case 5:
            pick(codes, stream) = random_code(stream);
            return;
        default:
            step_codes(codes, stream);
    }
}

/// Draws codes where there are none: a few, all of one power of two half the time.
void draw_codes(std::vector<uint32_t>& codes, Stream& stream) {
    codes.resize(static_cast<size_t>(1 + next_below(stream, 8)));
    const bool alike = next_below(stream, 2) == 0;
    const uint32_t first = random_code(stream);
    for (uint32_t& code : codes) code = alike ? first ^ (random_code(stream) & 0x80ff0007) : random_code(stream);
}

void move_bits(Draft& draft, Stream& stream) {
    std::vector<uint32_t>& codes = pick(draft.bits, stream);
    if (!codes.empty()) return move_codes(codes, stream);
    if (next_below(stream, 4) == 0) draw_codes(codes, stream);
}

/// One call in so many has a shape of its own, since most of those take a hundred times as long as others.
void move_shape(Draft& draft, Stream& stream) {
    const bool has_one = next_below(stream, 256) == 0;
    draft[DraftField::shape] = has_one ? drawn(field_info(DraftField::shape), stream) : 0;
}

/// The same where it is known which shapes have been met. What a kernel does wrong in one shape it often does wrong for
/// few fills, so that these are drawn anew half the time.
void move_shape(Draft& draft, Stream& stream, const ShapeRuns& runs) {
    const auto rarest = std::min_element(runs.begin() + 1, runs.end());
    const bool has_one = next_below(stream, *rarest < first_shape_runs ? 8 : 256) == 0;
    draft[DraftField::shape] = has_one ? static_cast<int>(rarest - runs.begin()) : 0;
    if (!has_one || next_below(stream, 2) == 0) return;
    draft[DraftField::x_fill] = drawn(field_info(DraftField::x_fill), stream);
    draft.bits_of(DraftTensor::x).clear();
}

}  // namespace

void mutate(Draft& draft, Stream& stream, const ShapeRuns* runs) {
    const int64_t moves = 1 + next_below(stream, 4);
    for (int64_t i = 0; i < moves; ++i) {
        const int64_t kind = next_below(stream, 8);
        if (kind < 3) {
            move_scale(draft, stream);
        } else if (kind < 6) {
            move_field(draft, stream);
        } else {
            move_bits(draft, stream);
        }
    }
    runs == nullptr ? move_shape(draft, stream) : move_shape(draft, stream, *runs);
}

Draft cross_over(const Draft& a, const Draft& b, Stream& stream) {
    Draft child = a;
    for (size_t i = 0; i < child.fields.size(); ++i)
        if (next_below(stream, 2) == 0) child.fields[i] = b.fields[i];
    for (size_t i = 0; i < child.bits.size(); ++i)
        if (next_below(stream, 2) == 0) child.bits[i] = b.bits[i];
    child[DraftField::shape] = 0;  // see move_shape
    return child;
}

Draft random_draft(Stream& stream) {
    Draft draft;
    for (const DraftField field : {DraftField::format, DraftField::rows, DraftField::cols, DraftField::seed})
        draft[field] = drawn(draft_fields()[static_cast<size_t>(field)], stream);
    draft[DraftField::cols] = static_cast<int>(1 + next_below(stream, 64));
    draft[DraftField::x_fill] = draft[DraftField::residual_fill] = 2;  // uniform_bits
    draft[DraftField::eps_is_bits] = 1;                                // as the kernel's own: f32(1e-6)
    draft[DraftField::eps_low] = 0x37bd;
    draft[DraftField::eps_high] = 0x3586;
    return draft;
}

}  // namespace normcheck
