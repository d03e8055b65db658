// The properties of properties_test.cpp, on a sample of MNIST or, with SPRIG_EXHAUSTIVE, on all of it.

#include <numeric>
#include <thread>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "sprig/data.h"
#include "support/exhaustive.h"
#include "support/properties.h"

namespace sprig {
namespace {

using namespace test;

const Dataset& mnist() {
    static const Dataset data = load_dataset("mnist:all");
    return data;
}

template <class Check>
void for_mnist(std::size_t step, Check check) {
    if (exhaustive()) step = 1;
    for (std::size_t i = 0; i < mnist().size() && !testing::Test::HasFailure(); i += step) {
        SCOPED_TRACE(mnist().name(i));
        check(Image(mnist().image(i)));
    }
}

TEST(Mnist, PropertiesHold) {
    for (const int directions : {2, 4}) {
        FrontEnd front_end({.directions = directions});
        int without_ties = 0;
        for_mnist(67, [&](const Image& image) {
            const Network network = front_end(image.view());
            network.check();
            expect_matches_reference(network);
            expect_translation_equivariant(image, front_end);
            without_ties += expect_symmetric(image, mirror, front_end) ? 1 : 0;
            without_ties += expect_symmetric(image, quarter_turn, front_end) ? 1 : 0;
            expect_finest_is_subset(image, network, front_end.params());
        });
        // With more directions there is hardly an image without ties.
        if (directions == 2) {
            EXPECT_GT(without_ties, 5) << "the whole network must have been compared, too";
        }
    }
}

TEST(Mnist, IsNormalisedAlready) {
    // Normalising a digit of MNIST (nearly) does not change it.
    int same_network = 0;
    int images = 0;
    FrontEnd front_end;
    for_mnist(149, [&](const Image& image) {
        const Normalised normalised = normalise({image.width, image.height, 1, image.pixels});
        EXPECT_FALSE(normalised.dark_on_light);
        EXPECT_EQ(normalised.thickened, 0);
        ++images;
        if (front_end(normalised.image.view()) == front_end(image.view())) ++same_network;
    });
    EXPECT_GT(same_network, images * 85 / 100);
}

/// The JSON of a network without `made_by`, which depends only on the parameters.
std::string text_of(const Network& network, const std::string& made_by) {
    std::string text = to_json(network);
    const std::string key = ",\"made_by\":" + nlohmann::json(made_by).dump();
    const std::size_t at = text.find(key);
    return at == std::string::npos ? text : text.erase(at, key.size());
}

/// FNV-1a hash of the JSON of all networks.
std::uint64_t digest(const FrontEndParams& params, std::size_t first, std::size_t count) {
    FrontEnd front_end(params);
    Network network(front_end.schema());
    std::uint64_t hash = 14695981039346656037U;
    for (std::size_t i = first; i < first + count; ++i) {
        front_end.extract(mnist().image(i), network);
        for (const char c : text_of(network, network.schema().made_by))
            hash = (hash ^ static_cast<std::uint8_t>(c)) * 1099511628211U;
    }
    return hash;
}

constexpr FrontEndParams accurate{
    .scale = 4, .deskew = true, .directions = 6, .min_contour = 8, .min_persistence = 0.5};

// Every compiler, build type and machine must compute the same networks, to the last bit.
TEST(Mnist, NetworksAreTheSameEverywhere) {
    EXPECT_EQ(digest({}, 60000, 1000), 18072173109780839530U);
    EXPECT_EQ(digest({.directions = 4}, 60000, 300), 18045214948245055800U);
    EXPECT_EQ(digest(accurate, 60000, 100), 1535369325522532857U);
}

TEST(Mnist, FrontEndsInThreadsAreIndependent) {
    constexpr std::size_t thread_count = 4;
    std::vector<std::uint64_t> digests(thread_count);
    (void)mnist();
    std::vector<std::thread> threads;
    for (std::uint64_t& result : digests) threads.emplace_back([&result] { result = digest({}, 0, 200); });
    for (std::thread& thread : threads) thread.join();
    EXPECT_THAT(digests, testing::Each(digest({}, 0, 200)));
}

} // namespace
} // namespace sprig
