#pragma once

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sprig/data.h"
#include "sprig/error.h"
#include "support/temp_folder.h"

namespace sprig::testing_support {

namespace fs = std::filesystem;
using Bytes = std::vector<std::uint8_t>;

/// Sets an environment variable and restores its old value.
class ScopedVariable {
  public:
    ScopedVariable(const char* name, const std::optional<std::string>& value) : name_(name) {
        if (const char* const old = std::getenv(name)) old_ = old;
        set(value);
    }
    ~ScopedVariable() { set(old_); }
    ScopedVariable(const ScopedVariable&) = delete;
    ScopedVariable& operator=(const ScopedVariable&) = delete;

  private:
    void set(const std::optional<std::string>& value) const {
        value ? setenv(name_, value->c_str(), 1) : unsetenv(name_);
    }
    const char* name_;
    std::optional<std::string> old_;
};

inline void write(const fs::path& path, std::string_view content) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << content;
}
inline void write(const fs::path& path, const Bytes& content) {
    write(path, std::string_view(reinterpret_cast<const char*>(content.data()), content.size()));
}

[[nodiscard]] inline Bytes slurp(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}
[[nodiscard]] inline std::string slurp_text(const fs::path& path) {
    const Bytes bytes = slurp(path);
    return {bytes.begin(), bytes.end()};
}

[[nodiscard]] inline Bytes first_bytes(const Bytes& bytes, std::size_t count) {
    return {bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count)};
}

/// Expects `work` to throw a sprig::Error of this kind with a message of one line that contains all `words`.
inline void expect_error(ErrorKind kind, const std::vector<std::string>& words,
                         const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        for (const std::string& word : words) EXPECT_THAT(error.what(), ::testing::HasSubstr(word));
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        return;
    }
    ADD_FAILURE() << "no error was thrown; expected: " << (words.empty() ? "" : words[0]);
}

inline void put_big_endian(Bytes& out, std::uint32_t value) {
    for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

[[nodiscard]] inline Bytes idx_images(std::uint32_t count, std::uint32_t rows, std::uint32_t columns,
                                      const Bytes& pixels) {
    Bytes out;
    for (const std::uint32_t value : {std::uint32_t{0x803}, count, rows, columns}) put_big_endian(out, value);
    out.insert(out.end(), pixels.begin(), pixels.end());
    return out;
}

[[nodiscard]] inline Bytes idx_labels(std::uint32_t count, const Bytes& labels) {
    Bytes out;
    put_big_endian(out, 0x801);
    put_big_endian(out, count);
    out.insert(out.end(), labels.begin(), labels.end());
    return out;
}

/// 0, 1, 2, ... as pixels.
[[nodiscard]] inline Bytes counting(std::size_t size) {
    Bytes out(size);
    for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::uint8_t>(i);
    return out;
}

/// Compresses with zlib.
[[nodiscard]] Bytes gzipped(const Bytes& bytes);

/// The path of a test file.
[[nodiscard]] inline fs::path fixture(std::string_view name) {
    return fs::path(SPRIG_FIXTURES) / name;
}

} // namespace sprig::testing_support
