#include "lab/protocol/context.h"

#include <gmock/gmock.h>

#include "sprig/error.h"

namespace sprig::lab {
namespace {

using testing::ElementsAre;

TEST(Seeds, ListsAndRanges) {
    EXPECT_THAT(parse_seeds("3"), ElementsAre(3));
    EXPECT_THAT(parse_seeds("0-2"), ElementsAre(0, 1, 2));
    EXPECT_THAT(parse_seeds("9,2,5-7"), ElementsAre(9, 2, 5, 6, 7));
    EXPECT_THAT(parse_seeds("18446744073709551614-18446744073709551615"),
                ElementsAre(18446744073709551614U, 18446744073709551615U));
    EXPECT_EQ(parse_seeds("0-999").size(), 1000U);
}

TEST(Seeds, RejectsEverythingElse) {
    for (const char* text : {"",
                             ",",
                             "1,",
                             ",1",
                             "1,,2",
                             "-",
                             "1-",
                             "-1",
                             "1-2-3",
                             " 1",
                             "1 ",
                             "1, 2",
                             "+1",
                             "0x1",
                             "1.0",
                             "a",
                             "3-1",
                             "1,1",
                             "1-3,2",
                             "0-1000",
                             "0-18446744073709551615",
                             "18446744073709551616"}) {
        try {
            (void)parse_seeds(text);
            ADD_FAILURE() << "'" << text << "' was accepted";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::usage) << text;
        }
    }
}

} // namespace
} // namespace sprig::lab
