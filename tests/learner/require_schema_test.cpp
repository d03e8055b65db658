#include "learner/require_schema.h"

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "sprig/front_end.h"

namespace sprig::learner {
namespace {

void expect_rejected(const Network& network, const std::shared_ptr<const Schema>& schema) {
    try {
        require_schema(network, schema);
        ADD_FAILURE() << "not rejected";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        EXPECT_THAT(error.what(), testing::HasSubstr("use a front end with the model's parameters"));
    }
}

TEST(RequireSchema, AcceptsEqualSchemas) {
    const auto schema = front_end_schema({});
    EXPECT_NO_THROW(require_schema(Network(schema), schema));
    EXPECT_NO_THROW(require_schema(Network(front_end_schema({})), schema)) << "a copy of the schema";
    EXPECT_NO_THROW(require_schema(FrontEnd()(Image(5, 5, 255).view()), schema));
}

TEST(RequireSchema, RejectsAnyDifference) {
    const auto schema = front_end_schema({});
    expect_rejected(Network(front_end_schema({.directions = 3})), schema);
    expect_rejected(Network(front_end_schema({.scale = 3})), schema); // the same names, other parameters
    expect_rejected(Network(front_end_schema({.deskew = true})), schema);
    const auto changed = [&](auto change) {
        auto other = std::make_shared<Schema>(*schema);
        change(*other);
        return Network(other);
    };
    expect_rejected(changed([](Schema& s) { s.dimensions = 3; }), schema);
    expect_rejected(changed([](Schema& s) { s.node_types.pop_back(); }), schema);
    expect_rejected(changed([](Schema& s) { s.node_types[0] = "dot"; }), schema);
    expect_rejected(changed([](Schema& s) { s.layers.emplace_back("above"); }), schema);
    expect_rejected(changed([](Schema& s) { s.attributes.clear(); }), schema);
}

TEST(RequiredSchema, RemembersOnlyWhatIsEqual) {
    RequiredSchema required(front_end_schema({}));
    const Network equal(front_end_schema({}));
    const Network other(front_end_schema({.scale = 3}));
    for (int repeat = 0; repeat < 2; ++repeat) {
        EXPECT_NO_THROW(required.check(equal));
        EXPECT_THROW(required.check(other), Error);
    }
}

} // namespace
} // namespace sprig::learner
