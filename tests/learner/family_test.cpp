#include "learner/family.h"

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "sprig/front_end.h"

namespace sprig::learner {
namespace {

void expect_refused(const Network& network, const std::shared_ptr<const Schema>& schema) {
    try {
        check_family(network, schema);
        ADD_FAILURE() << "not refused";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        EXPECT_THAT(error.what(), testing::HasSubstr("use the front end that the model names"));
    }
}

TEST(Family, IsWhatTheSchemaSays) {
    const auto schema = front_end_schema({});
    EXPECT_NO_THROW(check_family(Network(schema), schema));
    EXPECT_NO_THROW(check_family(Network(front_end_schema({})), schema)) << "another copy of the same";
    EXPECT_NO_THROW(check_family(FrontEnd()(Image(5, 5, 255).view()), schema));
}

TEST(Family, AnyDifferenceIsAnotherFamily) {
    const auto schema = front_end_schema({});
    expect_refused(Network(front_end_schema({.directions = 3})), schema);
    expect_refused(Network(front_end_schema({.scale = 3})), schema); // the same names, seen otherwise
    expect_refused(Network(front_end_schema({.deskew = true})), schema);
    const auto changed = [&](auto change) {
        auto other = std::make_shared<Schema>(*schema);
        change(*other);
        return Network(other);
    };
    expect_refused(changed([](Schema& s) { s.dimensions = 3; }), schema);
    expect_refused(changed([](Schema& s) { s.node_types.pop_back(); }), schema);
    expect_refused(changed([](Schema& s) { s.node_types[0] = "dot"; }), schema);
    expect_refused(changed([](Schema& s) { s.layers.emplace_back("above"); }), schema);
    expect_refused(changed([](Schema& s) { s.attributes.clear(); }), schema);
}

} // namespace
} // namespace sprig::learner
