#include "vision/change_points.h"

#include <algorithm>
#include <array>

#include "sprig/front_end.h"

namespace sprig {

namespace {

constexpr int half_turn = 4; // in steps of 45 degrees

Step step_between(const cv::Point& from, const cv::Point& to) {
    constexpr Step none = 0;
    constexpr std::array<Step, 9> by_offset = {3, 2, 1, 4, none, 0, 5, 6, 7};
    const int offset = ((to.y - from.y + 1) * 3) + (to.x - from.x + 1);
    return by_offset[static_cast<std::size_t>(offset)];
}

/// The turn from one step to the next, in 45 degrees, left positive.
int turn_between(Step from, Step to) {
    constexpr std::array<int, step_count> turns = {0, 1, 2, 3, half_turn, -3, -2, -1};
    return turns[static_cast<std::size_t>((to - from) & (step_count - 1))];
}

} // namespace

void ChangePointFinder::compute_steps(const TracedContour& contour) {
    contour_ = contour.points;
    const std::size_t n = contour_.size();
    steps_.resize(2 * n);
    for (std::size_t i = 0; i + 1 < n; ++i) steps_[i] = step_between(contour_[i], contour_[i + 1]);
    steps_[n - 1] = step_between(contour_[n - 1], contour_[0]);
    std::copy_n(steps_.begin(), n, steps_.begin() + static_cast<std::ptrdiff_t>(n));
}

int ChangePointFinder::turn_over(Run run) const {
    int turned = 0;
    for (std::size_t i = run.before; i < run.after; ++i) turned += turn_between(steps_[i], steps_[i + 1]);
    return turned;
}

std::int32_t ChangePointFinder::order_at_place(const Direction& direction, Run run, int turned) const {
    if (run.after == run.before + 1) {
        const Step in = steps_[run.before];
        return turned > 0 ? direction.left_until_flip[in] : direction.right_until_flip[in];
    }
    // The middle of the run is the tip of a spike. If the tip were round, its side would go slightly along or
    // against the direction: the flip is after the tip or before it.
    const std::size_t tip = (run.before + run.after) / 2;
    if ((run.after - run.before) % 2 == 0 || turn_between(steps_[tip], steps_[tip + 1]) != half_turn)
        return 0;
    const int side = direction.sign[(steps_[tip] + 2) % step_count];
    constexpr std::int32_t after_all = 1 << 20;
    return side == direction.sign[steps_[run.before]] ? after_all : 0;
}

ChangePoint ChangePointFinder::make_change_point(const Direction& direction, std::uint32_t direction_index,
                                                 Run run) const {
    const std::size_t n = contour_.size();
    const std::size_t unwrapped = run.before + 1 + run.after; // the middle, in half steps
    const std::size_t place = unwrapped < 2 * n ? unwrapped : unwrapped - (2 * n);
    const cv::Point at = point_at(contour_, place);
    const int turned = turn_over(run);

    ChangePoint point;
    point.x2 = at.x;
    point.y2 = at.y;
    point.type =
        ChangeKind{static_cast<int>(direction_index), direction.sign[steps_[run.before]] > 0, turned > 0}
            .index();
    point.contour = contour_index_;
    point.place = static_cast<std::uint32_t>(place);
    point.turn = order_at_place(direction, run, turned);
    point.projection = (point.x2 * direction.x) + (point.y2 * direction.y);
    return point;
}

void ChangePointFinder::find_along(const Direction& direction, std::uint32_t direction_index,
                                   std::vector<ChangePoint>& points) {
    const std::size_t n = contour_.size();
    std::size_t first = 0;
    while (first < n && direction.sign[steps_[first]] == 0) ++first;
    if (first == n) return;

    // Once around, starting and ending at the first step that counts.
    std::size_t last = first;
    int going = direction.sign[steps_[first]];
    for (std::size_t i = first + 1; i <= first + n; ++i) {
        // Only a flip is a branch: whether a step counts is hard to predict.
        const int sign = direction.sign[steps_[i]];
        if (sign == -going) points.push_back(make_change_point(direction, direction_index, {last, i}));
        going = sign != 0 ? sign : going;
        last = sign != 0 ? i : last;
    }
}

void ChangePointFinder::find(const TracedContour& contour, std::uint32_t index,
                             const std::vector<Direction>& directions, std::vector<ChangePoint>& points) {
    if (contour.points.size() < 2) return; // a single pixel has no steps
    compute_steps(contour);
    contour_index_ = index;
    const auto begin = static_cast<std::ptrdiff_t>(points.size());
    for (std::uint32_t a = 0; a < directions.size(); ++a) find_along(directions[a], a, points);
    std::sort(points.begin() + begin, points.end(), [](const ChangePoint& a, const ChangePoint& b) {
        return a.place != b.place ? a.place < b.place : a.turn < b.turn;
    });
}

} // namespace sprig
