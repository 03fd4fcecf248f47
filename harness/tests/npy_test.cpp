// The .npy reader and writer: every way of storing an array that is taken, and every lie that is refused.
#include "harness/io/npy.hpp"

#include <gtest/gtest.h>

#include "harness/io/atomic_file.hpp"
#include "harness/io/bytes.hpp"
#include "harness/tests/io_test_files.hpp"

namespace normcheck {
namespace {

/// A file with this dictionary and data, of version major.0.
std::string file_bytes(const std::string& header, std::string_view data, char major = 1) {
    std::string bytes = std::string("\x93NUMPY") + major + '\0';
    append_little_endian(bytes, header.size(), major == 1 ? 2 : 4);
    return bytes.append(header).append(data);
}

std::string dictionary(const std::string& descr, const std::string& order, const std::string& shape) {
    return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}

std::string with_shape(const std::string& shape) {
    return file_bytes(dictionary("<f2", "False", shape), "");
}

/// Written to a file and read from there.
Tensor reread(const std::string& bytes, std::optional<FormatId> view_as = std::nullopt) {
    TemporaryDirectory directory;
    write_file_atomically(directory.path / "t.npy", bytes);
    return read_npy(directory.path / "t.npy", view_as);
}

std::string refused(const std::string& bytes, std::optional<FormatId> view_as = std::nullopt) {
    return refusal([&] { reread(bytes, view_as); });
}

/// The refusal names the file and has this part.
testing::AssertionResult refused_with(const std::string& part, const std::string& bytes) {
    std::string message = refused(bytes);
    bool good = contains(message, "t.npy: ") && contains(message, part);
    return (good ? testing::AssertionSuccess() : testing::AssertionFailure()) << "message: " << message;
}

Tensor sample(FormatId format) {
    return from_codes(format, {2, 3}, std::vector<uint64_t>{1, 2, 3, 4, 5, 0x7c01});
}

TEST(npy, a_written_tensor_is_read_back) {
    TemporaryDirectory directory;
    for (FormatId id : {FormatId::f64, FormatId::f32, FormatId::f16, FormatId::bf16}) {
        for (std::vector<int64_t> shape : {std::vector<int64_t>{2, 3}, {6}, {1, 6, 1}}) {
            Tensor tensor = sample(id);
            tensor.shape = shape;
            write_npy(directory.path / "t.npy", tensor);
            EXPECT_EQ(read_npy(directory.path / "t.npy", FormatId::bf16), tensor) << format(id).name;
        }
    }
}

TEST(npy, scalars_and_empty_arrays_are_read_back) {
    Tensor scalar = from_codes(FormatId::f32, {}, std::vector<uint64_t>{0x40490fdb});
    EXPECT_EQ(reread(print_npy(scalar)), scalar);
    Tensor empty = from_codes(FormatId::f32, {0, 5}, {});
    EXPECT_EQ(reread(print_npy(empty)), empty);
}

TEST(npy, the_written_bytes_are_those_of_numpy) {
    std::string bytes = print_npy(from_codes(FormatId::f32, {1}, std::vector<uint64_t>{0x3f3f8ad9}));
    std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
    header.resize(117, ' ');
    EXPECT_EQ(bytes, file_bytes(header + '\n', "\xd9\x8a\x3f\x3f"));
}

TEST(npy, data_start_on_a_multiple_of_64_for_every_length_of_header) {
    for (size_t dimensions = 0; dimensions <= max_dimensions; ++dimensions) {
        Tensor tensor = from_codes(FormatId::f16, std::vector<int64_t>(dimensions, 1), std::vector<uint64_t>{7});
        std::string bytes = print_npy(tensor);
        EXPECT_EQ(bytes.size() % 64, 2u);
        EXPECT_EQ(bytes[bytes.size() - 3], '\n');
        EXPECT_EQ(parse_npy(bytes, "t.npy"), tensor);
    }
}

TEST(npy, versions_2_and_3_are_taken) {
    std::string header = dictionary("<f2", "False", "(1,)");
    for (char major : {1, 2, 3}) {
        EXPECT_EQ(codes(reread(file_bytes(header, "\x01\x3c", major))), std::vector<uint64_t>{0x3c01});
    }
}

TEST(npy, other_spellings_of_the_same_dictionary_are_taken) {
    for (const char* header : {"{'shape':(1,),'fortran_order':False,'descr':'<f2'}",
                               "{\"descr\": \"<f2\", 'fortran_order': "
                               "True, 'shape': (1, ) ,}   \n"}) {
        EXPECT_EQ(codes(reread(file_bytes(header, "\x01\x3c"))), std::vector<uint64_t>{0x3c01}) << header;
    }
}

TEST(npy, big_endian_is_converted) {
    Tensor read =
        reread(file_bytes(dictionary(">f4", "False", "(2,)"), std::string_view("\x3f\x80\x00\x01\x40\0\0\2", 8)));
    EXPECT_EQ(read, from_codes(FormatId::f32, {2}, std::vector<uint64_t>{0x3f800001, 0x40000002}));
}

TEST(npy, fortran_order_is_converted) {
    std::vector<uint64_t> stored(24), expected(24);
    for (uint64_t i = 0; i < 2; ++i) {
        for (uint64_t j = 0; j < 3; ++j) {
            for (uint64_t k = 0; k < 4; ++k)
                stored[i + 2 * (j + 3 * k)] = expected[k + 4 * (j + 3 * i)] = 100 * i + 10 * j + k;
        }
    }
    Tensor raw = from_codes(FormatId::f16, {24}, stored);
    Tensor read = reread(file_bytes(dictionary("<f2", "True", "(2, 3, 4)"), characters(raw.data)));
    EXPECT_EQ(read, from_codes(FormatId::f16, {2, 3, 4}, expected));
}

TEST(npy, fortran_order_of_scalars_and_empty_arrays_changes_nothing) {
    EXPECT_EQ(codes(reread(file_bytes(dictionary("<f2", "True", "()"), "\x01\x3c"))), std::vector<uint64_t>{0x3c01});
    EXPECT_TRUE(codes(reread(file_bytes(dictionary("<f2", "True", "(3, 0, 2)"), ""))).empty());
}

TEST(npy, words_of_16_bits_are_taken_only_as_the_format_that_is_asked_for) {
    for (const char* descr : {"<u2", "<V2", "|V2"}) {
        std::string bytes = file_bytes(dictionary(descr, "False", "(1,)"), "\x80\x3f");
        for (FormatId id : {FormatId::bf16, FormatId::f16}) {
            EXPECT_EQ(reread(bytes, id), from_codes(id, {1}, std::vector<uint64_t>{0x3f80})) << descr;
        }
        EXPECT_TRUE(refused_with("does not say which 16-bit format", bytes)) << descr;
        EXPECT_TRUE(contains(refused(bytes, FormatId::f32), "does not say which 16-bit format")) << descr;
    }
    std::string big = file_bytes(dictionary(">u2", "False", "(1,)"), "\x3f\x80");
    EXPECT_EQ(codes(reread(big, FormatId::bf16)), std::vector<uint64_t>{0x3f80});
}

TEST(npy, a_file_that_says_its_format_needs_no_view_and_ignores_it) {
    EXPECT_EQ(reread(file_bytes(dictionary("bfloat16", "False", "(1,)"), "\x80\x3f")).format, FormatId::bf16);
    EXPECT_EQ(reread(file_bytes(dictionary("<f2", "False", "(1,)"), "\x80\x3f"), FormatId::bf16).format, FormatId::f16);
}

TEST(npy, other_types_are_refused_by_name) {
    for (const char* descr : {"<i4", "|O", "<c8", "|b1", ">V2", "f4", "=f4", "<f16", "<f", ""}) {
        std::string expected = std::string("descr '") + descr + "', expected f8, f4 or f2";
        EXPECT_TRUE(refused_with(expected, file_bytes(dictionary(descr, "False", "(1,)"), ""))) << descr;
    }
}

TEST(npy, a_wrong_beginning_is_refused) {
    EXPECT_TRUE(refused_with("byte 0: got '', expected '\\x93NUMPY'", ""));
    EXPECT_TRUE(refused_with("byte 0: got 'PK", "PK\3\4 an archive"));
    EXPECT_TRUE(refused_with("byte 6: version '', expected 1.0, 2.0 or 3.0", "\x93NUMPY"));
    EXPECT_TRUE(refused_with("byte 6: version '\\x04\\x00'", file_bytes("", "", 4)));
    EXPECT_TRUE(refused_with("byte 6: version '\\x01\\x01'", std::string("\x93NUMPY\1\1\0\0", 10)));
}

TEST(npy, a_header_length_that_lies_is_refused) {
    EXPECT_TRUE(refused_with("9 bytes, expected the header's length up to byte 10", std::string("\x93NUMPY\1\0\7", 9)));
    EXPECT_TRUE(
        refused_with("byte 8: header length 65535, expected at most 3", std::string("\x93NUMPY\1\0\xff\xff{ }", 13)));
    EXPECT_TRUE(refused_with("byte 8: header length 4294967295, expected at most 0",
                             std::string("\x93NUMPY\2\0\xff\xff\xff\xff", 12)));
    std::string short_header = file_bytes(dictionary("<f2", "False", "(1,)"), "\x01\x3c");
    short_header[8] = 20;
    EXPECT_TRUE(refused_with("byte 27: got ''fo', expected one of the keys", short_header));
}

TEST(npy, a_dictionary_without_exactly_the_three_keys_is_refused) {
    EXPECT_TRUE(refused_with("expected one of the keys", file_bytes("{}", "")));
    EXPECT_TRUE(refused_with("byte 27: got '}', expected one of the keys", file_bytes("{'descr': '<f4', }", "")));
    EXPECT_TRUE(refused_with("byte 26: got ''descr'", file_bytes("{'descr': '<f4','descr': '<f4'}", "")));
    EXPECT_TRUE(refused_with("byte 11: got ''color'", file_bytes("{'color': '<f4'}", "")));
    std::string four = "{'descr': '<f2', 'fortran_order': False, 'shape': (1,), 'x': 1}";
    EXPECT_TRUE(refused_with("byte 66: got ''x': 1}', expected '}'", file_bytes(four, "\x01\x3c")));
}

TEST(npy, what_is_no_dictionary_of_these_literals_is_refused) {
    EXPECT_TRUE(refused_with("byte 10: got '', expected '{'", file_bytes("", "")));
    EXPECT_TRUE(refused_with("byte 10: got '['descr']', expected '{'", file_bytes("['descr']", "")));
    EXPECT_TRUE(refused_with("expected ':'", file_bytes("{'descr' '<f4'}", "")));
    EXPECT_TRUE(refused_with("expected ','", file_bytes("{'descr': '<f4' 'shape': ()}", "")));
    EXPECT_TRUE(refused_with("expected a string in quotes", file_bytes("{'descr': [('a', '<f4')]}", "")));
    EXPECT_TRUE(refused_with("expected a string in quotes", file_bytes("{'descr': '<f4", "")));
    EXPECT_TRUE(refused_with("expected True or False", file_bytes("{'fortran_order': 0}", "")));
    EXPECT_TRUE(
        refused_with("expected '}'", file_bytes("{'descr': '<f2', 'fortran_order': False, 'shape': ()", "\1\2")));
    EXPECT_TRUE(refused_with("expected blanks up to the end of the header",
                             file_bytes(dictionary("<f2", "False", "()") + "import os", "\1\2")));
}

TEST(npy, a_shape_that_is_no_tuple_of_whole_numbers_is_refused) {
    for (const char* shape :
         {"(-1,)", "(1.5,)", "(01,)", "(9223372036854775808,)", "(,)", "(1, , 2)", "(x,)", "(1, -1)", "(+1,)", "(1L,)",
          "((1,),)", "(3)", "[3]", "3", "(1 2)", "(1, 2 3)", "(1, 2", "("}) {
        EXPECT_TRUE(refused_with("expected", with_shape(shape))) << shape;
        EXPECT_TRUE(refused_with("byte 6", with_shape(shape))) << shape;
    }
}

TEST(npy, shapes_past_every_memory_are_refused_without_asking_for_it) {
    EXPECT_TRUE(refused_with("0 bytes of data, expected 2000000000000000000", with_shape("(1000000000000000000,)")));
    EXPECT_TRUE(refused_with("less than 2^63 bytes", with_shape("(4294967296, 4294967296)")));
    EXPECT_TRUE(refused_with("less than 2^63 bytes", with_shape("(9223372036854775807,)")));
    std::string many;
    for (int i = 0; i < 10'000; ++i) many += "1, ";
    EXPECT_TRUE(refused_with("at most 64 dimensions", with_shape("(" + many + ")")));
}

TEST(npy, data_of_another_size_than_the_shape_are_refused) {
    std::string header = dictionary("<f2", "False", "(2, 2)");
    EXPECT_TRUE(refused_with("7 bytes of data, expected 8 for shape (2, 2) of f16", file_bytes(header, "1234567")));
    EXPECT_TRUE(refused_with("9 bytes of data, expected 8", file_bytes(header, "123456789")));
    EXPECT_TRUE(refused_with("0 bytes of data, expected 8", file_bytes(header, "")));
}

TEST(npy, every_cut_of_a_file_is_refused) {
    std::string bytes = print_npy(sample(FormatId::f32));
    for (size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_NE(refusal([&] { parse_npy(bytes.substr(0, size), "t.npy"); }), "") << size;
    }
}

TEST(npy, mutations_are_taken_or_refused_and_nothing_else) {
    auto parse = [](const std::string& bytes) { require_consistent(parse_npy(bytes, "t.npy")); };
    int taken = count_taken(print_npy(sample(FormatId::f32)), 5000, parse);
    EXPECT_GT(taken, 50);
    EXPECT_LT(taken, 4000);
    std::string dense = file_bytes("{'descr':'<f2','fortran_order':True,'shape':(2,2)}", "12345678");
    EXPECT_GT(count_taken(dense, 5000, parse), 50);
}

TEST(npy, a_tensor_that_contradicts_itself_is_not_written) {
    EXPECT_THROW(print_npy(Tensor{FormatId::f32, {3}, {}}), InternalError);
}

}  // namespace
}  // namespace normcheck
