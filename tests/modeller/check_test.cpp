// ClassModel::check and ClassModel::digest must notice every kind of damage.

#include <functional>

#include <gmock/gmock.h>

#include "sprig/error.h"
#include "structures.h"

namespace sprig::modeller {
namespace {

using testing::HasSubstr;

struct Damage {
    const char* what;
    std::function<void(ClassModel&, UnitId base, UnitId up, UnitId other)> act;
    const char* message;
};

TEST(Check, NoticesDamage) {
    const std::vector<Damage> damages = {
        {"an anchor outside the chain",
         [](ClassModel& m, UnitId, UnitId up, UnitId other) {
             m.mutable_unit(up).anchors[0] = m.mutable_unit(other).nodes[0].slot;
         },
         "outside its downstream chain"},
        {"an anchor of a first-level unit",
         [](ClassModel& m, UnitId b, UnitId, UnitId other) {
             m.mutable_unit(b).anchors.push_back(m.mutable_unit(other).nodes[0].slot);
         },
         "outside its downstream chain"},
        {"an anchor out of range",
         [](ClassModel& m, UnitId, UnitId up, UnitId) { m.mutable_unit(up).anchors[0] = 1000; },
         "anchor does not exist"},
        {"depth", [](ClassModel& m, UnitId, UnitId up, UnitId) { m.mutable_unit(up).depth = 3; },
         "depth is wrong"},
        {"a node that another unit owns",
         [](ClassModel& m, UnitId b, UnitId up, UnitId) {
             m.mutable_unit(up).nodes[0].slot = m.mutable_unit(b).nodes[0].slot;
         },
         "does not own one of its nodes"},
        {"a lost node", [](ClassModel& m, UnitId, UnitId up, UnitId) { m.mutable_unit(up).nodes.clear(); },
         "its compiled pattern does not match its content"},
        {"no content",
         [](ClassModel& m, UnitId, UnitId up, UnitId) {
             m.mutable_unit(up).nodes.clear();
             m.mutable_unit(up).edges.clear();
         },
         "has no nodes and no edges"},
        {"a target that does not exist",
         [](ClassModel& m, UnitId b, UnitId up, UnitId) {
             m.mutable_unit(b).upstreams.clear();
             m.mutable_unit(up).target = 77;
         },
         "its target does not exist"},
        {"another target",
         [](ClassModel& m, UnitId, UnitId up, UnitId other) { m.mutable_unit(up).target = other; },
         "upstreams has another target"},
        {"a node without an owner",
         [](ClassModel& m, UnitId, UnitId, UnitId other) {
             m.mutable_unit(other).nodes.pop_back();
             m.mutable_unit(other).edges.clear();
             m.mutable_unit(other).pattern = match::Pattern({{0, {}}}, {}, {}, 8);
         },
         "nodes without an owner"},
        {"a missing upstream",
         [](ClassModel& m, UnitId b, UnitId, UnitId) { m.mutable_unit(b).upstreams.clear(); },
         "not exactly once among the upstreams"},
        {"a duplicate upstream",
         [](ClassModel& m, UnitId b, UnitId up, UnitId) { m.mutable_unit(b).upstreams.push_back(up); },
         "not exactly once among the upstreams"},
        {"an upstream of another unit",
         [](ClassModel& m, UnitId, UnitId up, UnitId other) {
             m.mutable_unit(other).upstreams.push_back(up);
         },
         "upstreams has another target"},
        {"a negative first-level unit",
         [](ClassModel& m, UnitId b, UnitId, UnitId) { m.mutable_unit(b).polarity = Polarity::negative; },
         "a negative unit of the class itself"},
        {"fired more often than observed",
         [](ClassModel& m, UnitId b, UnitId, UnitId) { m.mutable_unit(b).fired = 11; }, "fired more often"},
        {"fired more often in own samples than in all",
         [](ClassModel& m, UnitId b, UnitId, UnitId) { m.mutable_unit(b).fired_own = 1; },
         "fired more often"},
        {"node statistics",
         [](ClassModel& m, UnitId b, UnitId, UnitId) { m.mutable_unit(b).nodes[0].own.n = 1; },
         "more observations of the class than in all"},
        {"a duplicate edge",
         [](ClassModel& m, UnitId b, UnitId, UnitId) {
             m.mutable_unit(b).edges[1] = m.mutable_unit(b).edges[0];
         },
         "it has a duplicate edge"},
        {"class statistics", [](ClassModel& m, UnitId, UnitId, UnitId) { m.own = 11; },
         "more own samples than samples"},
    };
    for (const Damage& damage : damages) {
        SCOPED_TRACE(damage.what);
        ClassModel damaged("a", 8);
        damaged.observed = 10;
        damaged.own = 6;
        const UnitId b = damaged.create_unit(no_unit, Birth::positive, 1, row(4));
        const UnitId up = damaged.create_unit(b, Birth::positive, 2, tip_on({damaged.unit(b).nodes[0].slot}));
        const UnitId other = damaged.create_unit(no_unit, Birth::positive, 3, row(2));
        ASSERT_NO_THROW(damaged.check());
        damage.act(damaged, b, up, other);
        try {
            damaged.check();
            ADD_FAILURE() << "not noticed";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::failed);
            EXPECT_THAT(error.what(), HasSubstr(damage.message));
        }
    }
}

TEST(Digest, DependsOnContentOnly) {
    ClassModel model("a", 8);
    model.observed = 10;
    model.own = 6;
    model.create_unit(no_unit, Birth::positive, 1, row(4));
    ClassModel other("a", 8);
    other.scatter_ids(5);
    other.observed = 10;
    other.own = 6;
    const UnitId same = other.create_unit(no_unit, Birth::positive, 1, row(4));
    EXPECT_EQ(other.digest(), model.digest());
    other.mutable_unit(same).nodes[2].mean[1] = 1e-300;
    EXPECT_NE(other.digest(), model.digest());
    other.mutable_unit(same).nodes[2].mean[1] = 0;
    other.mutable_unit(same).edges[0].pool.sine = -1;
    EXPECT_NE(other.digest(), model.digest());
    other.mutable_unit(same).edges[0].pool.sine = 0;
    other.mutable_unit(same).inactive = 1;
    EXPECT_NE(other.digest(), model.digest());
    ClassModel other_label("b", 8);
    other_label.observed = 10;
    other_label.own = 6;
    other_label.create_unit(no_unit, Birth::positive, 1, row(4));
    EXPECT_NE(other_label.digest(), model.digest());
}

} // namespace
} // namespace sprig::modeller
