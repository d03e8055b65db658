#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sprig/image.h"
#include "sprig/network.h"

namespace sprig {

/// Everything the front end decides. The defaults are the paper's construction.
struct FrontEndParams {
    /// A pixel is ink if its value is greater than this.
    int threshold = 127;
    /// The image is enlarged this many times, bilinearly, before the threshold.
    int scale = 1;
    /// Slanted writing is set upright by a horizontal shear, found from the second moments.
    bool deskew = false;
    /// Where positions are measured from, and in what: the image's corner and px; the ink's centre of mass
    /// and px; the ink's centre and a unit in which its root mean square radius is 6.5, so that neither place
    /// nor size of a shape matter; or all that, turned so that the ink's principal axis stands upright (to
    /// 1/64 of the angle between two directions; what is upside down or mirrored stays so). Persistence and
    /// the reach of sharpness are in the same unit.
    enum class Frame : std::uint8_t { image, centred, ink, axis };
    Frame frame = Frame::image;
    /// Change points are extrema along this many evenly spaced directions (2: the image's axes).
    int directions = 2;
    /// Contours of fewer points than this, times `scale`, are dropped.
    int min_contour = 10;
    /// Change points that coarsening removes at a smaller extent than this (px) are dropped.
    double min_persistence = 0;
    /// Only the edges of the finest level: the paper's ablation.
    bool finest_only = false;
    /// Without edges a network is cheaper to make: for learners that look at nodes only.
    bool relations = true;
    /// Sharpness is read off the contour this many steps (times `scale`) before and after a node.
    int sharpness_reach = 3;

    bool operator==(const FrontEndParams&) const = default;
};

/// The layers of the front end's networks, in the order of their schema.
enum class Layer : std::uint32_t { contour_h, contour_v, spatial_h, spatial_v };
inline constexpr std::size_t layer_count = 4;

/// The attributes of the front end's nodes, in the order of their schema.
enum class NodeAttribute : std::uint32_t {
    persistence, ///< the extent (px) of the pair in which coarsening removed the node
    sharpness, ///< chord over steps around the node: near 0 at a tip, 1 on a straight line (1.4 on a slanted
               ///< one)
    depth,     ///< nesting depth of its contour: even is an outer boundary, odd a hole
};

/// What a node type says. `Schema::node_types[index(kind)]` is its name.
struct ChangeKind {
    int direction = 0;   ///< a, for the direction at angle pi * a / K; 0 is x and, for an even K, K / 2 is y
    bool maximum = true; ///< or a minimum
    bool convex = true;  ///< seen from the ink, or concave

    [[nodiscard]] std::uint32_t index() const {
        return (static_cast<std::uint32_t>(direction) * 4U) + (maximum ? 0U : 2U) + (convex ? 0U : 1U);
    }
    static ChangeKind from_index(std::uint32_t index) {
        return {static_cast<int>(index / 4U), (index & 2U) == 0U, (index & 1U) == 0U};
    }
    bool operator==(const ChangeKind&) const = default;
};

/// The vocabulary of networks made with these parameters. Throws Error(usage) if one is outside its range.
[[nodiscard]] std::shared_ptr<const Schema> front_end_schema(const FrontEndParams& params);

/// A closed contour in px of the original image; of a deskewed one, in px of the upright image.
struct Contour {
    struct Point {
        double x = 0;
        double y = 0;
    };
    std::vector<Point> points;
    int depth = 0; ///< even: outer boundary, odd: hole
};

/// Connected components and holes of an image, as its contours show them.
struct Topology {
    int components = 0;
    int holes = 0;

    bool operator==(const Topology&) const = default;
};

/// Where a network's coordinates lie in the image (of a deskewed one: in the upright image): with
/// (x, y) = (px - origin) * unit, a position in the network is x * cosine + y * sine, y * cosine - x * sine.
struct Placement {
    double origin_x = 0;
    double origin_y = 0;
    double unit = 1;
    double cosine = 1;
    double sine = 0;

    bool operator==(const Placement&) const = default;
};

/// Turns images into networks. It owns its working memory, so that after a few images of one size it
/// allocates nothing: keep one per thread.
class FrontEnd {
  public:
    /// Throws Error(usage) if a parameter is outside its range.
    explicit FrontEnd(const FrontEndParams& params = {});
    ~FrontEnd();
    FrontEnd(FrontEnd&&) noexcept;
    FrontEnd& operator=(FrontEnd&&) noexcept;
    FrontEnd(const FrontEnd&) = delete;
    FrontEnd& operator=(const FrontEnd&) = delete;

    [[nodiscard]] const FrontEndParams& params() const;
    [[nodiscard]] const std::shared_ptr<const Schema>& schema() const;

    /// The network of an image. Throws Error(bad_input) if the image is empty or too large.
    [[nodiscard]] Network operator()(ImageView image);
    /// The same into `network`, whose memory is used again.
    void extract(ImageView image, Network& network);

    /// What was seen on the way to the last network or topology, for drawing: the image after deskew and
    /// scaling as a black and white one, and the contours that were kept.
    [[nodiscard]] Image binarized() const;
    [[nodiscard]] std::vector<Contour> contours() const;
    [[nodiscard]] const Placement& placement() const;

    /// Components and holes of an image, counted on the same contours as the network is made of.
    [[nodiscard]] Topology topology(ImageView image);

  private:
    struct Workspace;
    std::unique_ptr<Workspace> work_;
};

/// How a person's picture is made to look like MNIST: see docs/method.md.
struct NormaliseParams {
    enum class Polarity { guess, dark_on_light, light_on_dark };
    Polarity polarity = Polarity::guess;
    /// Flips what `polarity` says or guessed.
    bool invert = false;
    /// The longer side of the ink becomes this many px ...
    int box = 20;
    /// ... in a square of this many px, centred by mass.
    int side = 28;
};

/// A normalised picture, and what was decided on the way.
struct Normalised {
    Image image;
    bool dark_on_light = false;   ///< what the ink was taken to be
    int threshold = 0;            ///< Otsu's, in the picture's own grey levels
    std::array<int, 4> crop = {}; ///< x, y, width, height of the ink in the picture
    int thickened = 0;            ///< px of the picture by which a thin pen's strokes were widened
};

/// Throws Error(bad_input) if the picture has no ink.
[[nodiscard]] Normalised normalise(const Picture& picture, const NormaliseParams& params = {});

} // namespace sprig
