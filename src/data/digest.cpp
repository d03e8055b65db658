#include "data/digest.h"

#include <array>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "sprig/error.h"

namespace sprig::data_detail {

std::string sha256(ByteView bytes) {
    std::array<std::uint8_t, EVP_MAX_MD_SIZE> digest{};
    unsigned length = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &length, EVP_sha256(), nullptr) != 1) {
        throw failed("the SHA-256 of a file could not be computed: libcrypto refuses to");
    }
    std::string text;
    for (unsigned i = 0; i < length; ++i) text += fmt::format("{:02x}", digest[i]);
    return text;
}

} // namespace sprig::data_detail
