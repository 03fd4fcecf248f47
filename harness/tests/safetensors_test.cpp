// The safetensors reader and writer: what is written comes back, and every lie of a header is refused by name.
#include "harness/io/safetensors.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/io/atomic_file.hpp"
#include "harness/io/bytes.hpp"
#include "harness/tests/io_test_files.hpp"

namespace normcheck {
namespace {

std::string file_bytes(const std::string& header, std::string_view data = "") {
    std::string bytes;
    append_little_endian(bytes, header.size(), 8);
    return bytes.append(header).append(data);
}

std::string object(const std::string& members) {
    return fmt::format("{{{}}}", members);
}

/// The header's words for one tensor of format F16.
std::string entry(const std::string& name, const std::string& shape, const std::string& offsets) {
    return fmt::format(R"("{}":{{"dtype":"F16","shape":{},"data_offsets":{}}})", name, shape, offsets);
}

/// Written to a file and read from there.
SafeTensors reread(const std::string& bytes) {
    TemporaryDirectory directory;
    write_file_atomically(directory.path / "t.safetensors", bytes);
    return read_safetensors(directory.path / "t.safetensors");
}

/// The refusal names the file, has this part and is not long.
testing::AssertionResult refused_with(const std::string& part, const std::string& bytes) {
    std::string message = refusal([&] { reread(bytes); });
    bool good = contains(message, "t.safetensors: ") && contains(message, part) && message.size() < 500;
    return (good ? testing::AssertionSuccess() : testing::AssertionFailure()) << "message: " << message;
}

SafeTensors sample() {
    SafeTensors content;
    content.tensors["x"] = from_codes(FormatId::bf16, {1, 3}, std::vector<uint64_t>{1, 2, 3});
    content.tensors["gamma"] = from_codes(FormatId::f32, {2}, std::vector<uint64_t>{0x3f800000, 0x7fc00001});
    content.tensors["mean"] = from_codes(FormatId::f64, {}, std::vector<uint64_t>{0x3ff0000000000000});
    content.tensors["half"] = from_codes(FormatId::f16, {1}, std::vector<uint64_t>{0xfc00});
    content.tensors["none"] = from_codes(FormatId::f32, {0, 7}, {});
    content.metadata = {{"norm", "layer"}, {"eps", "1e-5"}, {"\xc3\xa9\n", "\"\\"}};
    return content;
}

TEST(safetensors, written_content_is_read_back) {
    TemporaryDirectory directory;
    write_safetensors(directory.path / "t", sample());
    EXPECT_EQ(read_safetensors(directory.path / "t"), sample());
    EXPECT_EQ(reread(print_safetensors({})), SafeTensors{});
}

TEST(safetensors, the_written_bytes_are_fixed_padded_and_widest_first) {
    SafeTensors content;
    content.tensors["a"] = from_codes(FormatId::f16, {1}, std::vector<uint64_t>{0x3c00});
    content.tensors["b"] = from_codes(FormatId::f64, {1}, std::vector<uint64_t>{0x0807060504030201});
    content.metadata["k"] = "v";
    std::string header = R"({"__metadata__":{"k":"v"},"b":{"dtype":"F64","shape":[1],"data_offsets":[0,8]},)" +
                         entry("a", "[1]", "[8,10]") + "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    EXPECT_EQ(print_safetensors(content), file_bytes(header, std::string_view("\1\2\3\4\5\6\7\x08\0\x3c", 10)));
}

TEST(safetensors, tensors_may_stand_in_any_order_with_empty_ones_between) {
    std::string header = "{" + entry("b", "[2]", "[2,6]") + "," + entry("e", "[0]", "[2,2]") + " , \n" +
                         entry("a", "[]", "[0,2]") + "," + entry("f", "[3,0]", "[6,6]") + "}  ";
    SafeTensors content = reread(file_bytes(header, "123456"));
    EXPECT_EQ(codes(content.tensors.at("a")), std::vector<uint64_t>{0x3231});
    EXPECT_EQ(codes(content.tensors.at("b")), (std::vector<uint64_t>{0x3433, 0x3635}));
    EXPECT_EQ(content.tensors.at("f").shape, (std::vector<int64_t>{3, 0}));
    EXPECT_EQ(content.tensors.size(), 4u);
}

TEST(safetensors, a_header_length_that_lies_is_refused) {
    EXPECT_TRUE(refused_with("0 bytes, expected at least 8", ""));
    EXPECT_TRUE(refused_with("7 bytes, expected at least 8", "1234567"));
    EXPECT_TRUE(refused_with("byte 0: header length 3, expected at most 2", std::string("\3\0\0\0\0\0\0\0{}", 10)));
    EXPECT_TRUE(refused_with("header length 18446744073709551615, expected at most 2", std::string(8, '\xff') + "{}"));
    std::string long_header = file_bytes("{" + std::string(100'000'000, ' ') + "}");
    std::string message = refusal([&] { parse_safetensors(long_header, "t"); });
    EXPECT_TRUE(contains(message, "header length 100000002, expected at most 100000000")) << message;
}

TEST(safetensors, a_header_that_is_no_object_is_refused) {
    EXPECT_TRUE(refused_with("byte 8: got '', expected '{'", file_bytes("")));
    for (const char* header : {"[]", "null", "1", "\"x\"", " {}", "\xef\xbb\xbf{}"}) {
        EXPECT_TRUE(refused_with("byte 8", file_bytes(header))) << header;
    }
}

TEST(safetensors, a_header_that_is_no_json_is_refused_at_its_byte) {
    EXPECT_TRUE(refused_with("byte 9: header is not JSON in UTF-8", file_bytes("{x}")));
    EXPECT_TRUE(refused_with("byte 9: header is not JSON in UTF-8", file_bytes("{")));
    EXPECT_TRUE(refused_with("byte 11: header is not JSON in UTF-8", file_bytes("{} {}")));
    EXPECT_TRUE(refused_with("byte 9: header is not JSON in UTF-8", file_bytes("{/**/}")));
    EXPECT_TRUE(refused_with("not JSON in UTF-8", file_bytes(object(entry("a", "[1e999]", "[0,2]")), "12")));
    EXPECT_TRUE(refused_with("byte 10: NUL in the header", file_bytes(std::string("{}\0[[", 5))));
}

TEST(safetensors, a_header_that_is_no_utf8_is_refused_at_its_byte) {
    for (const char* name : {"\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xc3", "\\ud800"}) {
        EXPECT_TRUE(refused_with("header is not JSON in UTF-8", file_bytes(object(entry(name, "[1]", "[0,2]")), "12")));
    }
    EXPECT_TRUE(refused_with("byte 10: header is not", file_bytes("{\"\xff\":{}}")));
}

TEST(safetensors, deep_nesting_is_refused_at_its_first_level) {
    std::string brackets(1'000'000, '['), objects;
    for (int i = 0; i < 200'000; ++i) objects += "{\"x\":";
    EXPECT_TRUE(refused_with("header, 'x': got an array, expected an object", file_bytes("{\"x\":" + brackets)));
    EXPECT_TRUE(refused_with("header, 'x', 'x': unknown key", file_bytes(objects)));
    EXPECT_TRUE(refused_with("got an array, expected at most 64", file_bytes(R"({"x":{"shape":)" + brackets)));
    EXPECT_TRUE(refused_with("got an object, expected at most 64", file_bytes(R"({"x":{"shape":[)" + objects)));
    EXPECT_TRUE(refused_with("got an object, expected a string", file_bytes(R"({"__metadata__":{"x":)" + objects)));
}

TEST(safetensors, a_key_that_stands_twice_is_refused) {
    std::string a = entry("a", "[0]", "[0,0]");
    EXPECT_TRUE(refused_with("header, 'a': the key stands twice", file_bytes(object(a + "," + a))));
    EXPECT_TRUE(
        refused_with("'__metadata__': the key stands twice", file_bytes(R"({"__metadata__":{},"__metadata__":{}})")));
    EXPECT_TRUE(refused_with("'k': the key stands twice", file_bytes(R"({"__metadata__":{"k":"1","k":"1"}})")));
    EXPECT_TRUE(refused_with("header, 'a', 'shape': the key stands twice",
                             file_bytes(R"({"a":{"shape":[0],"shape":[0],"dtype":"F16","data_offsets":[0,0]}})")));
}

TEST(safetensors, missing_and_extra_keys_are_refused) {
    EXPECT_TRUE(
        refused_with("'a', 'dtype': the key is missing", file_bytes(R"({"a":{"shape":[0],"data_offsets":[0,0]}})")));
    EXPECT_TRUE(
        refused_with("'shape': the key is missing", file_bytes(R"({"a":{"dtype":"F16","data_offsets":[0,0]}})")));
    EXPECT_TRUE(refused_with("'data_offsets': the key is missing", file_bytes(R"({"a":{"dtype":"F16","shape":[0]}})")));
    EXPECT_TRUE(refused_with("'dtype': the key is missing", file_bytes(R"({"a":{}})")));
    EXPECT_TRUE(refused_with("'a', 'strides': unknown key", file_bytes(R"({"a":{"strides":[0]}})")));
}

TEST(safetensors, values_of_another_kind_are_refused) {
    for (const char* value : {"null", "true", "1", "-1", "1.5", "\"F32\"", "[]"}) {
        EXPECT_TRUE(refused_with("header, 'a': got", file_bytes("{\"a\":" + std::string(value) + "}"))) << value;
        EXPECT_TRUE(refused_with("'__metadata__': got", file_bytes("{\"__metadata__\":" + std::string(value) + "}")))
            << value;
    }
    for (const char* value : {"null", "false", "1", "-1", "1.5", "[]", "{}"}) {
        std::string metadata = R"({"__metadata__":{"k":)" + std::string(value) + "}}";
        EXPECT_TRUE(refused_with("'__metadata__', 'k': got", file_bytes(metadata))) << value;
        EXPECT_TRUE(refused_with("'a', 'dtype': got", file_bytes(R"({"a":{"dtype":)" + std::string(value) + "}}")))
            << value;
    }
    for (const char* value : {"null", "false", "1", "-1", "1.5", "\"F32\"", "{}"}) {
        EXPECT_TRUE(refused_with("'a', 'shape': got", file_bytes(object(entry("a", value, "[0,0]"))))) << value;
        EXPECT_TRUE(refused_with("'a', 'data_offsets': got", file_bytes(object(entry("a", "[0]", value))))) << value;
    }
}

TEST(safetensors, other_dtypes_are_refused_with_the_tensor_and_the_ones_that_are_taken) {
    EXPECT_TRUE(refused_with("header, 'ids', 'dtype': got 'I64', expected one of F64, F32, F16, BF16",
                             file_bytes(R"({"ids":{"dtype":"I64","shape":[0],"data_offsets":[0,0]}})")));
}

TEST(safetensors, numbers_that_are_no_size_are_refused) {
    for (const char* number :
         {"-1", "-0", "1.0", "1e0", "9223372036854775808", "18446744073709551616", "null", "\"1\""}) {
        std::string shape = entry("a", fmt::format("[{}]", number), "[0,2]");
        EXPECT_TRUE(refused_with("'a', 'shape': got", file_bytes(object(shape), "12"))) << number;
        std::string offsets = entry("a", "[1]", fmt::format("[0,{}]", number));
        EXPECT_TRUE(refused_with("'a', 'data_offsets': got", file_bytes(object(offsets), "12"))) << number;
    }
}

TEST(safetensors, a_list_too_long_is_refused_at_the_first_number_too_many) {
    std::string many = "[1";
    for (int i = 0; i < 1'000'000; ++i) many += ",1";
    EXPECT_TRUE(refused_with("'a', 'shape': got one number more, expected at most 64",
                             file_bytes(object(entry("a", many + "]", "[0,2]")), "12")));
    for (const char* offsets : {"[]", "[0]", "[0,2,4]"}) {
        EXPECT_TRUE(refused_with("expected two whole numbers", file_bytes(object(entry("a", "[1]", offsets)), "12")));
    }
}

TEST(safetensors, shapes_past_every_memory_are_refused_without_asking_for_it) {
    EXPECT_TRUE(refused_with("tensor 'a': shape (4294967296, 4294967296), expected less than 2^63 bytes",
                             file_bytes(object(entry("a", "[4294967296,4294967296]", "[0,0]")))));
    EXPECT_TRUE(refused_with("less than 2^63 bytes", file_bytes(object(entry("a", "[9223372036854775807]", "[0,0]")))));
    EXPECT_TRUE(refused_with("expected 2000000000000000000 bytes for shape (1000000000000000000,) of F16",
                             file_bytes(object(entry("a", "[1000000000000000000]", "[0,0]")))));
}

TEST(safetensors, offsets_out_of_order_or_past_the_file_are_refused) {
    for (const char* offsets : {"[2,0]", "[0,4]", "[4,6]", "[0,9223372036854775807]"}) {
        EXPECT_TRUE(refused_with("tensor 'a': data_offsets", file_bytes(object(entry("a", "[1]", offsets)), "12")));
        EXPECT_TRUE(
            refused_with("expected them in order and at most 2", file_bytes(object(entry("a", "[1]", offsets)), "12")));
    }
}

TEST(safetensors, offsets_that_do_not_hold_the_shape_are_refused) {
    EXPECT_TRUE(refused_with("tensor 'a': data_offsets 0 to 4, expected 2 bytes for shape (1,) of F16",
                             file_bytes(object(entry("a", "[1]", "[0,4]")), "1234")));
    EXPECT_TRUE(refused_with("expected 0 bytes for shape (0,)", file_bytes(object(entry("a", "[0]", "[0,2]")), "12")));
}

TEST(safetensors, overlaps_holes_and_data_that_belong_to_no_tensor_are_refused) {
    auto two = [](const char* a, const char* b) { return object(entry("a", "[2]", a) + "," + entry("b", "[1]", b)); };
    EXPECT_TRUE(refused_with("tensor 'b': overlap: data_offsets begin at 2, expected 4",
                             file_bytes(two("[0,4]", "[2,4]"), "1234")));
    EXPECT_TRUE(refused_with("tensor 'a': overlap", file_bytes(two("[0,4]", "[0,2]"), "1234")));
    EXPECT_TRUE(refused_with("tensor 'b': hole: data_offsets begin at 6, expected 4",
                             file_bytes(two("[0,4]", "[6,8]"), "12345678")));
    EXPECT_TRUE(refused_with("tensor 'a': hole", file_bytes(object(entry("a", "[1]", "[2,4]")), "1234")));
    EXPECT_TRUE(refused_with("8 bytes of data, expected 6", file_bytes(two("[0,4]", "[4,6]"), "12345678")));
    EXPECT_TRUE(refused_with("1 bytes of data, expected 0", file_bytes("{}", "1")));
    EXPECT_TRUE(
        refused_with("tensor 'e': overlap",
                     file_bytes(object(entry("a", "[2]", "[0,4]") + "," + entry("e", "[0]", "[2,2]")), "1234")));
}

TEST(safetensors, names_in_messages_are_short_and_printable) {
    std::string name(100'000, 'n');
    EXPECT_TRUE(refused_with("header, 'nnn", file_bytes("{\"" + name + "\":1}")));
    EXPECT_TRUE(refused_with("header, '\\x1b[2J': got 1", file_bytes("{\"\\u001b[2J\":1}")));
}

TEST(safetensors, every_cut_of_a_file_is_refused) {
    std::string bytes = print_safetensors(sample());
    for (size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_NE(refusal([&] { parse_safetensors(bytes.substr(0, size), "t"); }), "") << size;
    }
}

TEST(safetensors, mutations_are_taken_or_refused_and_nothing_else) {
    auto parse = [](const std::string& bytes) {
        for (const auto& [name, tensor] : parse_safetensors(bytes, "t").tensors) require_consistent(tensor);
    };
    int taken = count_taken(print_safetensors(sample()), 20'000, parse);
    EXPECT_GT(taken, 100);
    EXPECT_LT(taken, 16'000);
}

TEST(safetensors, names_that_could_not_be_read_back_are_not_written) {
    SafeTensors reserved, broken;
    reserved.tensors["__metadata__"] = from_codes(FormatId::f32, {0}, {});
    EXPECT_TRUE(contains(refusal([&] { print_safetensors(reserved); }), "'__metadata__': expected another name"));
    broken.metadata["\xff"] = "";
    EXPECT_TRUE(contains(refusal([&] { print_safetensors(broken); }), "expected UTF-8"));
}

}  // namespace
}  // namespace normcheck
