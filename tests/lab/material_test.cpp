#include "lab/protocol/material.h"

#include <gmock/gmock.h>

#include "sprig/error.h"

namespace sprig::lab {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Material, SplitsOffWhatComesLater) {
    std::vector<std::size_t> pool = {1, 4, 5, 9};
    EXPECT_THAT(split_off(pool, 5), ElementsAre(5, 9));
    EXPECT_THAT(pool, ElementsAre(1, 4));
}

TEST(Material, HeldOutImagesAreNeverInThePool) {
    for (const HeldOut held_out : {HeldOut::dev, HeldOut::t10k}) {
        try {
            MaterialOptions{Pool::all, held_out}.check();
            ADD_FAILURE() << name_of(held_out);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::usage);
            EXPECT_THAT(error.what(), HasSubstr("--pool train"));
        }
        MaterialOptions{Pool::train, held_out}.check();
        EXPECT_THROW((void)load_material({Pool::all, held_out}, {}), Error);
    }
    MaterialOptions{Pool::all, HeldOut::paper}.check();
}

TEST(Material, ThePapersPool) {
    const Material material = load_material({}, {});
    EXPECT_EQ(material.data.size(), 70000U);
    EXPECT_EQ(material.pool.size(), 61263U);
    EXPECT_FALSE(material.large);
    EXPECT_EQ(material.large_size(), 0U);
}

TEST(Material, DevelopmentImagesAreTheLastOfTheTrainingPart) {
    const FrontEndParams four = {.directions = 4};
    const Material material = load_material({Pool::train, HeldOut::dev, false}, four);
    EXPECT_EQ(material.pool.size(), 50000U);
    EXPECT_EQ(material.pool.back(), 49999U);
    ASSERT_TRUE(material.large);
    EXPECT_EQ(material.large_size(), 10000U);
    // The first of its class among them, seen with the learner's front end.
    std::size_t first = 50000;
    while (material.data.label(first) != 3) ++first;
    EXPECT_EQ((*material.large)[3].front(), FrontEnd(four)(material.data.image(first)));
    EXPECT_EQ(material.front_end, four);
}

TEST(Material, TheFilterIsThePapersWhateverTheLearnersFrontEnd) {
    const Material material = load_material({Pool::train, HeldOut::t10k}, {.min_contour = 40});
    EXPECT_EQ(material.data.size(), 60000U);
    EXPECT_EQ(material.pool.size() + material.large_size(), 61263U);
}

} // namespace
} // namespace sprig::lab
