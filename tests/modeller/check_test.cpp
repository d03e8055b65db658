// A class's check of itself and its digest: do they see what they must see?

#include <functional>

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "structures.h"

namespace sprig::modeller {
namespace {

using testing::HasSubstr;

// check() must notice; otherwise the tests that call it prove nothing.

struct Damage {
    const char* what;
    std::function<void(ClassModel&, UnitId base, UnitId up, UnitId other)> act;
    const char* noticed;
};

TEST(Check, NoticesDamage) {
    const std::vector<Damage> damages = {
        {"an anchor of a unit beside the chain",
         [](ClassModel& m, UnitId, UnitId up, UnitId other) {
             m.change(up).anchors[0] = m.change(other).nodes[0].slot;
         },
         "outside its downstream chain"},
        {"an anchor of a class's own unit",
         [](ClassModel& m, UnitId b, UnitId, UnitId other) {
             m.change(b).anchors.push_back(m.change(other).nodes[0].slot);
         },
         "outside its downstream chain"},
        {"an anchor beyond all",
         [](ClassModel& m, UnitId, UnitId up, UnitId) { m.change(up).anchors[0] = 1000; },
         "anchor is no more"},
        {"depth", [](ClassModel& m, UnitId, UnitId up, UnitId) { m.change(up).depth = 3; }, "depth is wrong"},
        {"a node that another unit owns",
         [](ClassModel& m, UnitId b, UnitId up, UnitId) {
             m.change(up).nodes[0].slot = m.change(b).nodes[0].slot;
         },
         "does not own its node"},
        {"a lost node", [](ClassModel& m, UnitId, UnitId up, UnitId) { m.change(up).nodes.clear(); },
         "its pattern is not its content"},
        {"nothing left",
         [](ClassModel& m, UnitId, UnitId up, UnitId) {
             m.change(up).nodes.clear();
             m.change(up).edges.clear();
         },
         "asks for nothing"},
        {"a dead target",
         [](ClassModel& m, UnitId b, UnitId up, UnitId) {
             m.change(b).upstreams.clear();
             m.change(up).target = 77;
         },
         "its target is no more"},
        {"another target",
         [](ClassModel& m, UnitId, UnitId up, UnitId other) { m.change(up).target = other; }, "not its own"},
        {"a node that nobody owns any more",
         [](ClassModel& m, UnitId, UnitId, UnitId other) {
             m.change(other).nodes.pop_back();
             m.change(other).edges.clear();
             m.change(other).pattern = match::Pattern({{0, {}}}, {}, {}, 8);
         },
         "nodes without an owner"},
        {"a forgotten upstream",
         [](ClassModel& m, UnitId b, UnitId, UnitId) { m.change(b).upstreams.clear(); },
         "its target does not know it"},
        {"an upstream twice",
         [](ClassModel& m, UnitId b, UnitId up, UnitId) { m.change(b).upstreams.push_back(up); },
         "its target does not know it"},
        {"somebody else's upstream",
         [](ClassModel& m, UnitId, UnitId up, UnitId other) { m.change(other).upstreams.push_back(up); },
         "not its own"},
        {"against the class",
         [](ClassModel& m, UnitId b, UnitId, UnitId) { m.change(b).polarity = Polarity::negative; },
         "against the class itself"},
        {"more firing than seeing", [](ClassModel& m, UnitId b, UnitId, UnitId) { m.change(b).fired = 11; },
         "fired more often"},
        {"more own firing than firing",
         [](ClassModel& m, UnitId b, UnitId, UnitId) { m.change(b).fired_own = 1; }, "fired more often"},
        {"node statistics", [](ClassModel& m, UnitId b, UnitId, UnitId) { m.change(b).nodes[0].own.n = 1; },
         "seen more often with its class"},
        {"an edge twice",
         [](ClassModel& m, UnitId b, UnitId, UnitId) { m.change(b).edges[1] = m.change(b).edges[0]; },
         "it asks for an edge twice"},
        {"class statistics", [](ClassModel& m, UnitId, UnitId, UnitId) { m.own = 11; },
         "more often than anything"},
    };
    for (const Damage& damage : damages) {
        SCOPED_TRACE(damage.what);
        ClassModel hurt("a", 8);
        hurt.observed = 10;
        hurt.own = 6;
        const UnitId b = hurt.grow(no_unit, Birth::positive, 1, row(4));
        const UnitId up = hurt.grow(b, Birth::positive, 2, tip_on({hurt.unit(b).nodes[0].slot}));
        const UnitId other = hurt.grow(no_unit, Birth::positive, 3, row(2));
        ASSERT_NO_THROW(hurt.check());
        damage.act(hurt, b, up, other);
        try {
            hurt.check();
            ADD_FAILURE() << "not noticed";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::failed);
            EXPECT_THAT(error.what(), HasSubstr(damage.noticed));
        }
    }
}

TEST(Digest, IsOfContentAlone) {
    ClassModel model("a", 8);
    model.observed = 10;
    model.own = 6;
    model.grow(no_unit, Birth::positive, 1, row(4));
    ClassModel other("a", 8);
    other.scatter_ids(5);
    other.observed = 10;
    other.own = 6;
    const UnitId same = other.grow(no_unit, Birth::positive, 1, row(4));
    EXPECT_EQ(other.digest(), model.digest());
    other.change(same).nodes[2].mean[1] = 1e-300;
    EXPECT_NE(other.digest(), model.digest());
    other.change(same).nodes[2].mean[1] = 0;
    other.change(same).edges[0].pool.sine = -1;
    EXPECT_NE(other.digest(), model.digest());
    other.change(same).edges[0].pool.sine = 0;
    other.change(same).inactive = 1;
    EXPECT_NE(other.digest(), model.digest());
    ClassModel called_otherwise("b", 8);
    called_otherwise.observed = 10;
    called_otherwise.own = 6;
    called_otherwise.grow(no_unit, Birth::positive, 1, row(4));
    EXPECT_NE(called_otherwise.digest(), model.digest());
}

} // namespace
} // namespace sprig::modeller
