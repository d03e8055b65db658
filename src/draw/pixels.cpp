#include "draw/pixels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <fmt/format.h>

namespace sprig::draw {
namespace {

/// Rows of grey or colour samples.
struct Samples {
    int width = 0;
    int height = 0;
    int channels = 1; ///< 1 or 3
    std::vector<std::uint8_t> values;
};

void append_big_endian(std::string& out, std::uint32_t value) {
    for (const int shift : {24, 16, 8, 0}) out += static_cast<char>((value >> shift) & 0xFFU);
}

/// The remainder of each byte, for `crc32`.
constexpr std::array<std::uint32_t, 256> crc_table = [] {
    std::array<std::uint32_t, 256> table{};
    for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
        std::uint32_t rest = byte;
        for (int bit = 0; bit < 8; ++bit) rest = (rest >> 1U) ^ ((rest & 1U) != 0 ? 0xEDB88320U : 0U);
        table[byte] = rest;
    }
    return table;
}();

/// The checksum of a PNG chunk.
std::uint32_t crc32(std::string_view bytes) {
    std::uint32_t rest = ~0U;
    for (const char byte : bytes)
        rest = (rest >> 8U) ^ crc_table[(rest ^ static_cast<std::uint8_t>(byte)) & 0xFFU];
    return ~rest;
}

/// The checksum of the zlib format.
std::uint32_t adler32(std::string_view bytes) {
    constexpr std::uint32_t prime = 65521;
    std::uint32_t sum = 1;
    std::uint32_t sum_of_sums = 0;
    for (const char byte : bytes) {
        sum = (sum + static_cast<std::uint8_t>(byte)) % prime;
        sum_of_sums = (sum_of_sums + sum) % prime;
    }
    return (sum_of_sums << 16U) | sum;
}

void append_chunk(std::string& png, const std::string& type_and_data) {
    append_big_endian(png, static_cast<std::uint32_t>(type_and_data.size() - 4));
    png += type_and_data;
    append_big_endian(png, crc32(type_and_data));
}

/// The bytes in uncompressed blocks of the zlib format.
std::string zlib_stored(const std::string& bytes) {
    constexpr std::size_t block = 65535;
    std::string out = "\x78\x01";
    for (std::size_t begin = 0; begin < bytes.size(); begin += block) {
        const std::string_view part = std::string_view(bytes).substr(begin, block);
        const auto length = static_cast<std::uint32_t>(part.size());
        out += begin + block >= bytes.size() ? '\1' : '\0';
        for (const std::uint32_t value : {length, ~length}) {
            out += static_cast<char>(value & 0xFFU);
            out += static_cast<char>((value >> 8U) & 0xFFU);
        }
        out += part;
    }
    append_big_endian(out, adler32(bytes));
    return out;
}

std::string png(const Samples& samples) {
    std::string header = "IHDR";
    append_big_endian(header, static_cast<std::uint32_t>(samples.width));
    append_big_endian(header, static_cast<std::uint32_t>(samples.height));
    header += '\x08'; // bits per sample
    header += samples.channels == 1 ? '\0' : '\2';
    header += std::string(3, '\0');

    std::string rows;
    const std::size_t stride =
        static_cast<std::size_t>(samples.width) * static_cast<std::size_t>(samples.channels);
    for (std::size_t begin = 0; begin < samples.values.size(); begin += stride) {
        rows += '\0'; // no filter
        rows.append(reinterpret_cast<const char*>(samples.values.data()) + begin, stride);
    }
    std::string out = "\x89PNG\r\n\x1A\n";
    append_chunk(out, header);
    append_chunk(out, "IDAT" + zlib_stored(rows));
    append_chunk(out, "IEND");
    return out;
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
        std::uint32_t triple = 0;
        for (std::size_t k = 0; k < 3; ++k)
            triple = (triple << 8U) | (k < count ? static_cast<std::uint8_t>(bytes[i + k]) : 0U);
        for (std::size_t k = 0; k < 4; ++k)
            out += k <= count ? alphabet[(triple >> (18U - (6U * k))) & 63U] : '=';
    }
    return out;
}

std::string uri(const Samples& samples) {
    return "data:image/png;base64," + base64(png(samples));
}

/// One colour channel of a pixel on white.
double over_white(const Picture& picture, int x, int y, int channel) {
    const auto index = [&](int c) {
        return (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width) +
                static_cast<std::size_t>(x)) *
                   static_cast<std::size_t>(picture.channels) +
               static_cast<std::size_t>(c);
    };
    const double value = picture.pixels[index(channel)];
    if (picture.channels % 2 != 0) return value;
    const double alpha = picture.pixels[index(picture.channels - 1)] / 255.0;
    return (value * alpha) + (255 * (1 - alpha));
}

/// The mean of the pixels of a box.
std::uint8_t mean(const Picture& picture, std::array<int, 4> box, int channel) {
    double sum = 0;
    for (int y = box[1]; y < box[3]; ++y)
        for (int x = box[0]; x < box[2]; ++x) sum += over_white(picture, x, y, channel);
    const int count = (box[2] - box[0]) * (box[3] - box[1]);
    return static_cast<std::uint8_t>(std::lround(sum / count));
}

/// The pixels whose value is `wanted`: one rectangle for each run in a row.
template <typename Wanted>
PathData outline_of(const Image& image, Wanted wanted) {
    PathData outline;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const int begin = x;
            while (x < image.width && wanted(image.at(x, y))) ++x;
            if (x > begin) outline.box({static_cast<double>(begin), static_cast<double>(y)}, x - begin, 1);
        }
    return outline;
}

} // namespace

std::string data_uri(const Image& image) {
    Samples samples{image.width, image.height, 1, image.pixels};
    for (std::uint8_t& value : samples.values) value = static_cast<std::uint8_t>(255 - value);
    return uri(samples);
}

std::string data_uri(const Picture& picture, int longest) {
    const int step = (std::max(picture.width, picture.height) + longest - 1) / longest;
    Samples samples;
    samples.width = (picture.width + step - 1) / step;
    samples.height = (picture.height + step - 1) / step;
    samples.channels = picture.channels < 3 ? 1 : 3;
    for (int y = 0; y < picture.height; y += step)
        for (int x = 0; x < picture.width; x += step)
            for (int channel = 0; channel < samples.channels; ++channel)
                samples.values.push_back(mean(
                    picture, {x, y, std::min(x + step, picture.width), std::min(y + step, picture.height)},
                    channel));
    return uri(samples);
}

PathData ink_outline(const Image& binarized) {
    return outline_of(binarized, [](std::uint8_t value) { return value != 0; });
}

std::vector<GreyOutline> grey_outlines(const Image& image) {
    std::array<bool, 256> present{};
    for (const std::uint8_t value : image.pixels) present[value] = true;
    std::vector<GreyOutline> outlines;
    for (unsigned value = 1; value < present.size(); ++value)
        if (present[value])
            outlines.push_back({fmt::format("#{0:02x}{0:02x}{0:02x}", 255 - value),
                                outline_of(image, [value](std::uint8_t v) { return v == value; })});
    return outlines;
}

} // namespace sprig::draw
