// Time per image of the front end. The unit F is the time of cv::findContours on the same binarized images.

#include <algorithm>
#include <map>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include "binarized.h"
#include "sprig/data.h"
#include "sprig/front_end.h"

namespace sprig::bench {
namespace {

const Dataset& digits() {
    static const Dataset data = load_dataset("mnist:t10k:0-1999");
    return data;
}

void find_contours(benchmark::State& state) {
    const std::vector<cv::Mat> images = binarized(digits());
    std::vector<std::vector<cv::Point>> points;
    std::vector<cv::Vec4i> hierarchy;
    for (auto _ : state) {
        for (const cv::Mat& image : images) {
            cv::findContours(image, points, hierarchy, cv::RETR_TREE, cv::CHAIN_APPROX_NONE);
            benchmark::DoNotOptimize(points.data());
        }
    }
}

void front_end(benchmark::State& state, const FrontEndParams& params) {
    FrontEnd extractor(params);
    Network network(extractor.schema());
    for (auto _ : state) {
        for (std::size_t i = 0; i < digits().size(); ++i) {
            extractor.extract(digits().image(i), network);
            benchmark::DoNotOptimize(network.node_count());
        }
    }
}

/// Records the minimum time of each benchmark, which is least affected by other load. Prints nothing.
class Reporter : public benchmark::ConsoleReporter {
  public:
    Reporter() : ConsoleReporter(OO_None) {}
    void ReportRuns(const std::vector<Run>& runs) override {
        for (const Run& run : runs) {
            if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
            const double microseconds = run.GetAdjustedCPUTime() * 1e6 /
                                        benchmark::GetTimeUnitMultiplier(run.time_unit) /
                                        static_cast<double>(digits().size());
            const auto [found, is_new] = least_.try_emplace(run.run_name.function_name, microseconds);
            if (!is_new) found->second = std::min(found->second, microseconds);
        }
    }
    [[nodiscard]] double least(const std::string& name) const { return least_.at(name); }
    [[nodiscard]] const std::map<std::string, double>& all() const { return least_; }

  private:
    std::map<std::string, double> least_;
};

} // namespace
} // namespace sprig::bench

int main(int argc, char** argv) {
    using namespace sprig;
    using namespace sprig::bench;
    benchmark::Initialize(&argc, argv);
    const auto add = [](const char* name, auto... arguments) {
        benchmark::RegisterBenchmark(name, arguments...)->Repetitions(15)->MinTime(0.1);
    };
    add("cv::findContours (F)", find_contours);
    add("front end, 28 px, K = 2", front_end, FrontEndParams{});
    add("front end, 28 px, K = 4", front_end, FrontEndParams{.directions = 4});
    add("front end, deskewed, 4 x 28 px, K = 6", front_end,
        FrontEndParams{
            .scale = 4, .deskew = true, .directions = 6, .min_contour = 8, .min_persistence = 0.5});
    Reporter reporter;
    benchmark::RunSpecifiedBenchmarks(&reporter);

    const double unit = reporter.least("cv::findContours (F)");
    fmt::print("Minimum of 15 runs over 2,000 images of mnist:t10k:\n");
    for (const auto& [name, microseconds] : reporter.all()) {
        fmt::print("  {:<40} {:>8.2f} us per image {:>8.2f} F\n", name, microseconds, microseconds / unit);
    }
    return 0;
}
