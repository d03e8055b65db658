#include "sprig/front_end.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "sprig/error.h"
#include "vision/change_points.h"
#include "vision/coarsen.h"
#include "vision/contours.h"
#include "vision/directions.h"
#include "vision/front_end_parameters.h"
#include "vision/ink_moments.h"
#include "vision/ink_parts.h"
#include "vision/layers.h"
#include "vision/resample.h"

namespace sprig {

namespace {

constexpr int max_scale = 16;
constexpr int max_side = 1 << (LayerBuilder::coordinate_bits - 1); // of the binarized image
constexpr int max_directions = (1 << LayerBuilder::type_bits) / 4;
/// The root mean square radius of the ink in its own frame: about that of a digit of 20 px.
constexpr double ink_radius = 6.5;
constexpr std::size_t max_nodes = std::size_t{1} << LayerBuilder::index_bits;

void require(bool condition, const char* name, const std::string& value, const char* range) {
    if (!condition) throw usage_error(fmt::format("{} is {}, but must be {}", name, value, range));
}

/// Whether lengths in the network are relative to the size of the ink.
bool has_ink_unit(const FrontEndParams& p) {
    return p.frame == FrontEndParams::Frame::ink || p.frame == FrontEndParams::Frame::axis;
}

std::string frame_name(FrontEndParams::Frame frame) {
    return frame == FrontEndParams::Frame::image ? "image" : "centred";
}

void check(const FrontEndParams& p) {
    const auto text = [](auto value) { return fmt::format("{}", value); };
    require(p.threshold >= 0 && p.threshold < 255, "threshold", text(p.threshold), "from 0 to 254");
    static_assert(max_scale == 16);
    require(p.scale >= 1 && p.scale <= max_scale, "scale", text(p.scale), "from 1 to 16");
    require(p.resolution >= 0 && p.resolution <= 1000, "resolution", text(p.resolution), "from 0 to 1000");
    require(p.resolution == 0 || has_ink_unit(p), "frame", frame_name(p.frame),
            "ink or axis with a resolution, because lengths are relative to the size of the ink");
    require(p.slant_damping >= 0 && p.slant_damping <= 1000, "slant_damping", text(p.slant_damping),
            "from 0 to 1000");
    require(p.min_part >= 0 && p.min_part <= 1, "min_part", text(p.min_part), "from 0 to 1");
    static_assert(max_directions == 32);
    require(p.directions >= 1 && p.directions <= max_directions, "directions", text(p.directions),
            "from 1 to 32");
    require(p.min_contour >= 0 && p.min_contour <= 1000000, "min_contour", text(p.min_contour),
            "from 0 to 1000000");
    require(p.min_persistence >= 0 && p.min_persistence <= 1e6, "min_persistence", text(p.min_persistence),
            "from 0 to 1000000");
    require(p.frame != FrontEndParams::Frame::axis || !p.relations, "frame", "axis",
            "image, centred or ink if relations=true, because edges follow the image's axes");
    require(p.sharpness_reach >= 1 && p.sharpness_reach <= 100, "sharpness_reach", text(p.sharpness_reach),
            "from 1 to 100");
}

std::string direction_name(int a, int k) {
    if (a == 0) return "x";
    if (2 * a == k) return "y";
    return fmt::format("{:g}deg", 180.0 * a / k);
}

/// Two coordinates in a vector of the compiler.
using Doubles2 = double __attribute__((vector_size(16)));

/// Converts a coordinate of the enlarged image to px of the original.
template <class Number>
Number to_px(Number at, double scale) {
    return ((at + 0.5) / scale) - 0.5;
}

/// Converts an extent in the enlarged image, in units of a projection, to px of the original.
double to_extent(std::int64_t extent, double scale) {
    return static_cast<double>(extent) / static_cast<double>(2 * Direction::unit) / scale;
}

/// Chords of a contour, which measure its sharpness.
class Chord {
  public:
    Chord(const TracedContour& contour, std::uint32_t steps)
        : contour_(contour), around_(static_cast<std::uint32_t>(2 * contour.size)), ahead_(2 * steps),
          length_(4.0 * steps) {
        if (ahead_ >= around_) ahead_ %= around_; // a division is rarely needed
    }

    /// The chord between the points `steps` before and after a place, divided by the length of the contour
    /// between them.
    [[nodiscard]] double sharpness(std::uint32_t place) const {
        const std::uint32_t ahead = place + ahead_;
        const std::uint32_t behind = place - ahead_;
        const PackedPoint front = contour_.at_half_step(ahead < around_ ? ahead : ahead - around_);
        const PackedPoint back = contour_.at_half_step(place >= ahead_ ? behind : behind + around_);
        const double x = front.x() - back.x();
        const double y = front.y() - back.y();
        return std::sqrt((x * x) + (y * y)) / length_;
    }

  private:
    TracedContour contour_;
    std::uint32_t around_; ///< in half steps, as places are
    std::uint32_t ahead_;  ///< the distance to an end, less than once around
    double length_;        ///< of the contour between the ends, in half px
};

} // namespace

std::shared_ptr<const Schema> front_end_schema(const FrontEndParams& params) {
    check(params);
    auto schema = std::make_shared<Schema>();
    for (int a = 0; a < params.directions; ++a) {
        for (const char* kind : {"max-convex", "max-concave", "min-convex", "min-concave"}) {
            schema->node_types.push_back(fmt::format("{}-{}", direction_name(a, params.directions), kind));
        }
    }
    schema->layers = {"contour_h", "contour_v", "spatial_h", "spatial_v"};
    schema->attributes = {"persistence", "sharpness", "depth"};
    schema->made_by = to_json(params);
    return schema;
}

struct FrontEnd::Workspace {
    explicit Workspace(const FrontEndParams& p)
        : params(p), schema(front_end_schema(p)), directions(make_directions(p.directions)) {}

    FrontEndParams params;
    std::shared_ptr<const Schema> schema;
    std::vector<Direction> directions;

    int scale = 1; ///< by which the last image was enlarged
    Resampler resampler;
    BinaryImage original; ///< the last image, neither deskewed nor enlarged; only with `min_part`
    BinaryImage binarized;
    InkParts parts;
    ContourFinder finder;
    std::span<const TracedContour> contours;
    ChangePointFinder change_points;
    ChangePoints change;
    Coarsener coarsener;
    LayerBuilder layers;
    std::vector<std::uint32_t> new_index;

    CoordinateTransform transform;
    Slant slant; ///< that was removed from the last image

    void find_contours(ImageView image);
    void binarize(ImageView image);
    [[nodiscard]] int scale_for(ImageView image) const;
    [[nodiscard]] Slant slant_of(ImageView image);
    void set_transform();
    [[nodiscard]] InkMoments measure_frame();
    [[nodiscard]] std::size_t min_points() const;
    void align_to_principal_axis(const InkMoments& ink);
    void find_change_points();
    void drop_low_persistence(std::vector<Removal>* removals);
    [[nodiscard]] std::uint32_t sharpness_steps() const;
    void set_nodes(Network& network) const;
    void set_nodes(Network& network, const TracedContour& contour, NodeId begin, NodeId end) const;
};

/// Also sets the transform.
void FrontEnd::Workspace::find_contours(ImageView image) {
    if (image.pixels == nullptr || image.width < 1 || image.height < 1) {
        throw bad_input(fmt::format("an image of {} x {} px has no pixels", image.width, image.height));
    }
    scale = scale_for(image);
    const int limit = max_side / scale;
    if (image.width > limit || image.height > limit) {
        throw bad_input(
            fmt::format("an image of {} x {} px is too large: at scale {} the maximum side is {} px",
                        image.width, image.height, scale, limit));
    }
    binarize(image);
    finder.trace(binarized);
    set_transform();
    contours = finder.traced(min_points());
}

int FrontEnd::Workspace::scale_for(ImageView image) const {
    if (params.resolution == 0) return params.scale;
    const std::int64_t longer = std::max(image.width, image.height);
    const std::int64_t doubled = 2 * std::int64_t{params.resolution};
    const std::int64_t rounded = (doubled + longer) / (2 * longer);
    return static_cast<int>(std::clamp<std::int64_t>(rounded, 1, max_scale));
}

void FrontEnd::Workspace::binarize(ImageView image) {
    slant = params.deskew ? slant_of(image) : Slant{};
    if (scale > 1 || params.deskew) {
        resampler.run(image, scale, slant, params.threshold, binarized);
    } else {
        binarized.threshold(image, params.threshold);
    }
}

Slant FrontEnd::Workspace::slant_of(ImageView image) {
    if (params.min_part == 0) return measure_slant(image, params.slant_damping);
    original.threshold(image, params.threshold);
    parts.find(original, params.min_part);
    return measure_slant(image, parts.runs(), params.slant_damping);
}

void FrontEnd::Workspace::set_transform() {
    transform = {};
    if (params.frame == FrontEndParams::Frame::image) return;
    const InkMoments ink = measure_frame();
    transform.origin_x = to_px(ink.x, scale);
    transform.origin_y = to_px(ink.y, scale);
    if (params.frame == FrontEndParams::Frame::centred) return;
    if (ink.radius > 0) transform.unit = ink_radius / (ink.radius / scale);
    if (params.frame == FrontEndParams::Frame::axis) align_to_principal_axis(ink);
}

InkMoments FrontEnd::Workspace::measure_frame() {
    if (params.min_part == 0 || finder.part_count() <= 1) return measure_ink(binarized);
    parts.find(binarized, params.min_part);
    return parts.moments();
}

/// The minimum number of points of a contour in the enlarged image.
std::size_t FrontEnd::Workspace::min_points() const {
    const double in_image = static_cast<double>(params.min_contour) * scale;
    return static_cast<std::size_t>(params.resolution == 0 ? in_image : std::ceil(in_image / transform.unit));
}

/// Rotates directions and coordinates so that the ink's principal axis becomes the y axis.
void FrontEnd::Workspace::align_to_principal_axis(const InkMoments& ink) {
    const double off_y = (std::atan2(ink.doubled_sine, ink.doubled_cosine) - std::numbers::pi) / 2;
    const int steps = params.directions * turn_parts; // of a half turn
    const double turned = off_y <= -std::numbers::pi / 2 ? off_y + std::numbers::pi : off_y;
    const auto turn = static_cast<int>(std::lround(turned / std::numbers::pi * steps));
    make_directions(params.directions, turn, directions);
    const double angle = std::numbers::pi * turn / steps;
    transform.cosine = std::cos(angle);
    transform.sine = std::sin(angle);
}

void FrontEnd::Workspace::find_change_points() {
    change.clear();
    for (std::uint32_t c = 0; c < contours.size(); ++c) {
        change_points.find(contours[c], c, directions, change);
    }
    if (change.points.size() >= max_nodes) {
        throw bad_input(
            fmt::format("the image has {} change points, more than the maximum of {}: scale it down or "
                        "remove its noise",
                        change.points.size(), max_nodes - 1));
    }
}

/// Drops the change points of low persistence. Coarsening removes pairs by increasing extent, so these are
/// the pairs of its first steps, and the later steps do not change.
void FrontEnd::Workspace::drop_low_persistence(std::vector<Removal>* removals) {
    const auto is_low = [this](std::int64_t extent) {
        return to_extent(extent, scale) * transform.unit < params.min_persistence;
    };
    new_index.resize(change.points.size());
    std::uint32_t kept = 0;
    for (std::size_t p = 0; p < change.points.size(); ++p) {
        new_index[p] = kept;
        if (!is_low(change.points[p].extent)) change.points[kept++] = change.points[p];
    }
    change.points.resize(kept);
    if (removals == nullptr) return;
    std::erase_if(*removals, [&](const Removal& r) { return is_low(r.extent); });
    for (Removal& r : *removals) {
        r.first = new_index[r.first];
        r.second = new_index[r.second];
    }
}

std::uint32_t FrontEnd::Workspace::sharpness_steps() const {
    const int steps = params.sharpness_reach * scale;
    const long in_unit = transform.unit == 1 ? steps : std::lround(steps / transform.unit);
    return static_cast<std::uint32_t>(std::max(1L, in_unit));
}

void FrontEnd::Workspace::set_nodes(Network& network, const TracedContour& contour, NodeId begin,
                                    NodeId end) const {
    // Local copies: the compiler must assume that setting a node changes any member.
    const ChangePoint* const points = change.points.data();
    const CoordinateTransform to = transform;
    const Doubles2 origin = {to.origin_x, to.origin_y};
    const double enlarged = scale;
    const Chord chord(contour, sharpness_steps());
    const double depth = contour.depth;
    for (NodeId n = begin; n < end; ++n) {
        const ChangePoint& p = points[n];
        const Doubles2 doubled = {static_cast<double>(p.x2()), static_cast<double>(p.y2())};
        Doubles2 at = (to_px(doubled * 0.5, enlarged) - origin) * to.unit;
        if (to.sine != 0) {
            at = Doubles2{(at[0] * to.cosine) + (at[1] * to.sine), (at[1] * to.cosine) - (at[0] * to.sine)};
        }
        const std::array attributes = {to_extent(p.extent, enlarged) * to.unit, chord.sharpness(p.place),
                                       depth};
        network.set_node(n, p.type, std::array{at[0], at[1]}, attributes);
    }
    network.link_cycle(begin, end);
}

void FrontEnd::Workspace::set_nodes(Network& network) const {
    const auto count = static_cast<NodeId>(change.points.size());
    network.assign_nodes(count);
    for (NodeId begin = 0; begin < count;) {
        const std::uint32_t contour = change.points[begin].contour;
        NodeId end = begin + 1;
        while (end < count && change.points[end].contour == contour) ++end;
        set_nodes(network, contours[contour], begin, end);
        begin = end;
    }
}

FrontEnd::FrontEnd(const FrontEndParams& params) {
    check(params);
    work_ = std::make_unique<Workspace>(params);
}
FrontEnd::~FrontEnd() = default;
FrontEnd::FrontEnd(FrontEnd&&) noexcept = default;
FrontEnd& FrontEnd::operator=(FrontEnd&&) noexcept = default;

const FrontEndParams& FrontEnd::params() const {
    return work_->params;
}
const std::shared_ptr<const Schema>& FrontEnd::schema() const {
    return work_->schema;
}

Network FrontEnd::operator()(ImageView image) {
    Network network(work_->schema);
    extract(image, network);
    return network;
}

void FrontEnd::extract(ImageView image, Network& network) {
    if (network.shared_schema() != work_->schema) network = Network(work_->schema);
    Workspace& w = *work_;
    w.find_contours(image);
    w.find_change_points();
    // Only edges depend on the order of the removals.
    std::vector<Removal>* removals = w.params.relations ? &w.coarsener.run(w.change) : nullptr;
    if (removals == nullptr) w.coarsener.set_extents(w.change);
    if (w.params.min_persistence > 0) w.drop_low_persistence(removals);
    w.set_nodes(network);
    if (removals == nullptr) return;
    if (w.params.finest_only) removals->clear();
    network.set_edges(w.layers.build(w.change.points, *removals));
}

Image FrontEnd::binarized() const {
    const BinaryImage& binary = work_->binarized;
    Image image(binary.width(), binary.height());
    for (int y = 0; y < binary.height(); ++y)
        std::copy_n(binary.row(y), binary.width(), image.pixels.begin() + std::ptrdiff_t{y} * binary.width());
    return image;
}

std::vector<Contour> FrontEnd::contours() const {
    std::vector<Contour> result;
    for (const TracedContour& traced : work_->contours) {
        Contour& contour = result.emplace_back();
        contour.depth = traced.depth;
        for (std::size_t i = 0; i < traced.size; ++i) {
            const PixelPoint p = traced.point(i);
            contour.points.push_back({to_px<double>(p.x, work_->scale), to_px<double>(p.y, work_->scale)});
        }
    }
    return result;
}

const CoordinateTransform& FrontEnd::transform() const {
    return work_->transform;
}

const Slant& FrontEnd::slant() const {
    return work_->slant;
}

Topology FrontEnd::topology(ImageView image) {
    work_->find_contours(image);
    Topology topology;
    for (const TracedContour& contour : work_->contours) {
        ++(contour.depth % 2 == 0 ? topology.components : topology.holes);
    }
    return topology;
}

} // namespace sprig
