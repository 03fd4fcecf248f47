// Bytes to drafts and back. A field is stored as its distance from the default, wrapped round its range.
#include "harness/fuzz/draft.hpp"

#include <algorithm>

namespace normcheck {
namespace {

constexpr DraftFieldInfo field_table[] = {
#define DRAFT_FIELD(name, default_value, lowest, highest, meaning) {#name, default_value, lowest, highest, meaning},
#include "harness/fuzz/draft_fields.def"
#undef DRAFT_FIELD
};

/// Reads whole numbers off bytes, low byte first; past the end there are zeros.
class Reader {
  public:
    explicit Reader(std::span<const uint8_t> bytes) : bytes_(bytes) {}

    uint32_t next(int count) {
        uint32_t value = 0;
        for (int i = 0; i < count; ++i) value |= next_byte() << 8 * i;
        return value;
    }
    size_t left() const { return bytes_.size() - std::min(at_, bytes_.size()); }

  private:
    uint32_t next_byte() { return at_ < bytes_.size() ? bytes_[at_++] : 0; }

    std::span<const uint8_t> bytes_;
    size_t at_ = 0;
};

void append(Bytes& bytes, uint32_t value, int count) {
    for (int i = 0; i < count; ++i) bytes.push_back(static_cast<uint8_t>(value >> 8 * i));
}

int64_t range_of(const DraftFieldInfo& info) {
    return int64_t{info.highest} - info.lowest + 1;
}
int width_of(const DraftFieldInfo& info) {
    return range_of(info) <= 256 ? 1 : 2;
}

int from_stored(const DraftFieldInfo& info, uint32_t stored) {
    return static_cast<int>(info.lowest + (info.default_value - info.lowest + int64_t{stored}) % range_of(info));
}
uint32_t to_stored(const DraftFieldInfo& info, int value) {
    const int64_t distance = int64_t{value} - info.default_value;
    return static_cast<uint32_t>((distance + range_of(info)) % range_of(info));
}

/// The number of codes, which is cut to those that are there in full, and the codes.
std::vector<uint32_t> read_bits(Reader& reader) {
    const size_t wanted = std::min<size_t>(reader.next(1), most_draft_bits);
    std::vector<uint32_t> codes(std::min(wanted, reader.left() / 4));
    for (uint32_t& code : codes) code = reader.next(4);
    return codes;
}

void append_bits(Bytes& bytes, const std::vector<uint32_t>& codes) {
    bytes.push_back(static_cast<uint8_t>(codes.size()));
    for (const uint32_t code : codes) append(bytes, code, 4);
}

bool has_bits(const Draft& draft) {
    return std::ranges::any_of(draft.bits, [](const auto& codes) { return !codes.empty(); });
}

}  // namespace

std::span<const DraftFieldInfo> draft_fields() {
    return field_table;
}

std::array<int, draft_field_count> Draft::defaults() {
    std::array<int, draft_field_count> values;
    std::ranges::transform(field_table, values.begin(), &DraftFieldInfo::default_value);
    return values;
}

Draft read_draft(std::span<const uint8_t> bytes) {
    Reader reader(bytes);
    Draft draft;
    for (size_t i = 0; i < draft.fields.size(); ++i)
        draft.fields[i] = from_stored(field_table[i], reader.next(width_of(field_table[i])));
    for (auto& codes : draft.bits) codes = read_bits(reader);
    return draft;
}

Bytes write_draft(const Draft& draft) {
    Bytes bytes;
    for (size_t i = 0; i < draft.fields.size(); ++i)
        append(bytes, to_stored(field_table[i], draft.fields[i]), width_of(field_table[i]));
    if (has_bits(draft)) {
        for (const auto& codes : draft.bits) append_bits(bytes, codes);
        return bytes;  // zeros at the end may be codes
    }
    while (!bytes.empty() && bytes.back() == 0) bytes.pop_back();
    return bytes;
}

}  // namespace normcheck
