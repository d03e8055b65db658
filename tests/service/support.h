#pragma once

#include <cstdint>
#include <string>

#include <gmock/gmock.h>

#include "service/base64.h"
#include "service/service.h"
#include "sprig/data.h"
#include "sprig/error.h"

namespace sprig::service::test {

/// Three gestures.
inline Strokes arrow() {
    return {{{0, 5}, {9, 5}}, {{6, 2}, {9, 5}, {6, 8}}};
}
inline Strokes zigzag() {
    return {{{0, 0}, {4, 9}, {8, 0}, {12, 9}}};
}
inline Strokes square() {
    return {{{10, 10}, {90, 12}, {88, 90}, {11, 88}, {10, 10}}};
}

inline Json request_of(const Strokes& strokes) {
    Json request = {{"strokes", Json::array()}};
    for (const Stroke& stroke : strokes) {
        Json points = Json::array();
        for (const StrokePoint& point : stroke) points.push_back(Json::array({point.x, point.y}));
        request["strokes"].push_back(std::move(points));
    }
    return request;
}

inline Json pixels_request(const Image& image, bool raw) {
    Json request;
    request["pixels"] = {
        {"width", image.width}, {"height", image.height}, {"channels", 1}, {"data", to_base64(image.pixels)}};
    if (raw) request["raw"] = true;
    return request;
}

/// The message of the error that a call must throw.
template <typename Act>
std::string refusal(ErrorKind kind, Act act) {
    try {
        act();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), kind) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "not refused";
    return {};
}

} // namespace sprig::service::test
