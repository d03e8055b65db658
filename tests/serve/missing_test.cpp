#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serve/server.h"
#include "sprig/error.h"

// Of a program that is built without the server.

namespace sprig::serve_test {

namespace {

TEST(MissingServer, SaysHowToBuildIt) {
    try {
        const serve::Server server("a.sprig", {}, {});
        FAIL() << "there is a server";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_THAT(error.what(), testing::HasSubstr("libboost1.81-dev"));
    }
    EXPECT_FALSE(serve::serves_page());
}

} // namespace

} // namespace sprig::serve_test
