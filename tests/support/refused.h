#pragma once

#include <string>
#include <vector>

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "sprig/learner.h"

namespace sprig::test {

/// Expects that a learner rejects an operation with this message and is unchanged.
template <typename Act>
void expect_refused(const Learner& learner, ErrorKind kind, const char* message, Act act) {
    const std::uint64_t before = learner.digest();
    const std::vector<std::string> classes = learner.classes();
    try {
        act();
        ADD_FAILURE() << "not rejected: " << message;
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind);
        EXPECT_THAT(error.what(), testing::HasSubstr(message));
    }
    EXPECT_EQ(learner.digest(), before);
    EXPECT_EQ(learner.classes(), classes);
    EXPECT_NO_THROW(learner.check());
}

} // namespace sprig::test
