#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "network/samples.h"
#include "sprig/error.h"
#include "sprig/network.h"

namespace sprig {
namespace {

using test::chair;
using testing::HasSubstr;
using Json = nlohmann::ordered_json;

TEST(NetworkJson, IsReadableAndComplete) {
    EXPECT_EQ(to_json(chair()),
              R"({
  "schema": {"dimensions":3,"types":["leg","seat"],"layers":["above","left of"],"attributes":["wear"]},
  "nodes": [
    {"type":"leg","at":[0.0,0.0,0.0],"wear":0.25,"next":1,"previous":2},
    {"type":"seat","at":[4.0,0.0,2.0],"wear":0.0,"next":2,"previous":0},
    {"type":"leg","at":[2.0,1.0,0.0],"wear":0.5,"next":0,"previous":1}
  ],
  "edges": [
    {"layer":"above","from":0,"to":1,"by":[4.0,0.0,2.0],"levels":[0,3]},
    {"layer":"left of","from":2,"to":0,"by":[1.0,1.0,1.0],"levels":[1,2]}
  ]
}
)");
}

TEST(NetworkJson, CanBeReadBack) {
    EXPECT_EQ(network_from_json(to_json(chair())), chair());
    const Network nothing(test::chair_schema());
    EXPECT_EQ(network_from_json(to_json(nothing)), nothing);
}

std::string error_message(const std::string& text) {
    try {
        (void)network_from_json(text);
        return "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::bad_input);
        return error.what();
    }
}

/// The JSON of the chair with one value replaced.
std::string with(const char* pointer, const Json& value) {
    Json json = Json::parse(to_json(chair()));
    json[Json::json_pointer(pointer)] = value;
    return json.dump();
}

TEST(NetworkJson, RejectsInvalidText) {
    EXPECT_THAT(error_message(""), HasSubstr("not a network in JSON"));
    EXPECT_THAT(error_message("[1,2]"), HasSubstr("not a network in JSON"));
    EXPECT_THAT(error_message("{}"), HasSubstr("schema"));
    EXPECT_THAT(error_message(with("/schema/dimensions", 0)), HasSubstr("1 to 16 dimensions"));
    EXPECT_THAT(error_message(with("/schema/dimensions", 2.5)), HasSubstr("number of dimensions is 2.5"));
    EXPECT_THAT(error_message(with("/schema/layers", {"above", "above"})), HasSubstr("two layers"));
    EXPECT_THAT(error_message(with("/schema/attributes", {"next"})), HasSubstr("cannot be named 'next'"));
    EXPECT_THAT(error_message(with("/nodes/0/type", "wheel")), HasSubstr("no node type 'wheel'"));
    EXPECT_THAT(error_message(with("/nodes/0/at", {1, 2})), HasSubstr("2 coordinates, not 3"));
    EXPECT_THAT(error_message(with("/nodes/0/next", -1)), HasSubstr("a next node is -1"));
    EXPECT_THAT(error_message(with("/nodes/0/next", 0)), HasSubstr("do not agree"));
    EXPECT_THAT(error_message(with("/edges/0/to", 3)), HasSubstr("below 3"));
    EXPECT_THAT(error_message(with("/edges/0/to", 1.5)), HasSubstr("an edge's to is 1.5"));
    EXPECT_THAT(error_message(with("/edges/0/layer", "under")), HasSubstr("no layer 'under'"));
    EXPECT_THAT(error_message(with("/edges/0/levels", {4, 3})), HasSubstr("before it begins"));
    EXPECT_THAT(error_message(with("/edges/0/by", {1})), HasSubstr("wrong length"));
}

TEST(NetworkJson, RejectsTruncatedText) {
    const std::string text = to_json(chair());
    for (std::size_t length = 0; length + 2 < text.size(); ++length) {
        EXPECT_THAT(error_message(text.substr(0, length)), HasSubstr("not a network"));
    }
}

} // namespace
} // namespace sprig
