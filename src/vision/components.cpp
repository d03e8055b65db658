#include "vision/components.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace sprig {

namespace {

/// Joins runs to components while rows are added from top to bottom. While it does, `part_of` is a forest of
/// runs: a root is its own parent, and every other run comes after its parent.
class RunJoiner {
  public:
    void add_row(int y, std::span<const std::uint8_t> row, int threshold) {
        const std::size_t begin = found_.runs.size();
        find_runs(y, row, threshold);
        join_rows(above_, begin);
        above_ = begin;
    }

    [[nodiscard]] Components finish() && {
        for (std::size_t r = 0; r < found_.runs.size(); ++r) {
            // The parent comes earlier, so its entry is a component already.
            std::uint32_t& part = found_.part_of[r];
            part = part == r ? add_part(found_.runs[r]) : found_.part_of[part];
            add(found_.runs[r], found_.parts[part]);
        }
        return std::move(found_);
    }

  private:
    void find_runs(int y, std::span<const std::uint8_t> row, int threshold) {
        const auto is_ink = [threshold](std::uint8_t v) { return v > threshold; };
        for (auto begin = std::find_if(row.begin(), row.end(), is_ink); begin != row.end();) {
            const auto end = std::find_if_not(begin, row.end(), is_ink);
            found_.part_of.push_back(static_cast<std::uint32_t>(found_.runs.size()));
            found_.runs.push_back(
                {y, static_cast<int>(begin - row.begin()), static_cast<int>(end - row.begin())});
            begin = std::find_if(end, row.end(), is_ink);
        }
    }

    /// Joins the runs of the last row, which start at `begin`, with those of the row above it.
    void join_rows(std::size_t above, std::size_t begin) {
        const std::vector<Components::Run>& runs = found_.runs;
        for (std::size_t r = begin; r < runs.size(); ++r) {
            while (above < begin && runs[above].end < runs[r].begin) ++above;
            for (std::size_t a = above; a < begin && runs[a].begin <= runs[r].end; ++a) join(a, r);
        }
    }

    void join(std::size_t a, std::size_t b) {
        const auto [first, second] = std::minmax({root_of(a), root_of(b)});
        found_.part_of[second] = first;
    }

    std::uint32_t root_of(std::size_t run) {
        std::vector<std::uint32_t>& parent = found_.part_of;
        while (parent[run] != run) {
            parent[run] = parent[parent[run]]; // shortens the path for the next search
            run = parent[run];
        }
        return static_cast<std::uint32_t>(run);
    }

    std::uint32_t add_part(const Components::Run& run) {
        found_.parts.push_back({0, run.begin, run.y, run.end, run.y + 1});
        return static_cast<std::uint32_t>(found_.parts.size() - 1);
    }

    static void add(const Components::Run& run, Components::Part& part) {
        part.area += run.end - run.begin;
        part.left = std::min(part.left, run.begin);
        part.right = std::max(part.right, run.end);
        part.bottom = run.y + 1;
    }

    Components found_;
    std::size_t above_ = 0; ///< first run of the row above
};

} // namespace

Components find_components(ImageView image, int threshold) {
    RunJoiner joiner;
    const auto width = static_cast<std::size_t>(image.width);
    for (int y = 0; y < image.height; ++y) {
        joiner.add_row(y, {image.pixels + (static_cast<std::size_t>(y) * width), width}, threshold);
    }
    return std::move(joiner).finish();
}

} // namespace sprig
