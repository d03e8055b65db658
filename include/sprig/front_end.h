#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sprig/image.h"
#include "sprig/network.h"

namespace sprig {

/// All parameters of the front end. The defaults are the paper's construction.
struct FrontEndParams {
    /// A pixel is ink if its value is greater than this.
    int threshold = 127;
    /// Factor by which the image is enlarged, bilinearly, before the threshold is applied.
    int scale = 1;
    /// If above 0, the network does not depend on the size of the image: the factor is chosen for each image,
    /// in place of `scale`, so that its longer side has about this many px (1 if it has more), and
    /// `min_contour` is a length in the unit of the network. Needs the frame `ink` or `axis`.
    int resolution = 0;
    /// Whether slant is removed by a horizontal shear, computed from the second moments.
    bool deskew = false;
    /// Makes the shear less: it is cov(x, y) / (var(y) + `slant_damping` * var(x)). What is wide and low has
    /// little var(y), and would be sheared at random.
    double slant_damping = 0;
    /// Parts of the ink that are smaller than this share of the largest part do not count when the slant, the
    /// centre and the size of the ink are measured, so that a speck has no effect on them.
    double min_part = 0;
    /// The coordinate system of the network. `image`: px from the image's corner. `centred`: px from the
    /// ink's centre of mass. `ink`: from the centre of mass, in a unit in which the root mean square radius
    /// of the ink is 6.5, so that neither position nor size of a shape matter. `axis`: as `ink`, and rotated
    /// so that the ink's principal axis is vertical (to 1/64 of the angle between two directions; upside-down
    /// and mirrored shapes remain different). Persistence and `sharpness_reach` use the same unit.
    enum class Frame : std::uint8_t { image, centred, ink, axis };
    Frame frame = Frame::image;
    /// Number of evenly spaced directions along which change points are extrema (2: the image's axes).
    int directions = 2;
    /// Minimum number of points of a contour, times `scale`; shorter contours are dropped. See also
    /// `resolution`.
    int min_contour = 10;
    /// Minimum persistence of a change point (px): the extent at which coarsening removes it.
    double min_persistence = 0;
    /// Keep only the edges of the finest level (the paper's ablation).
    bool finest_only = false;
    /// Whether the network has edges. Learners that use only nodes can save the cost.
    bool relations = true;
    /// Distance along the contour, in steps times `scale`, from a node to the ends of the chord that measures
    /// its sharpness.
    int sharpness_reach = 3;

    bool operator==(const FrontEndParams&) const = default;
};

/// The layers of the front end's networks, in the order of their schema.
enum class Layer : std::uint32_t { contour_h, contour_v, spatial_h, spatial_v };
inline constexpr std::size_t layer_count = 4;

/// The attributes of the front end's nodes, in the order of their schema.
enum class NodeAttribute : std::uint32_t {
    persistence, ///< extent (px) of the pair in which coarsening removed the node
    sharpness,   ///< chord length divided by steps: near 0 at a tip, 1 on a straight line, 1.4 on a diagonal
    depth,       ///< nesting depth of the contour: even is an outer boundary, odd a hole
};

/// The meaning of a node type. `Schema::node_types[kind.index()]` is its name.
struct ChangeKind {
    int direction = 0;   ///< a, for the angle pi * a / K; 0 is x and, for an even K, K / 2 is y
    bool maximum = true; ///< otherwise a minimum
    bool convex = true;  ///< as seen from the ink; otherwise concave

    [[nodiscard]] std::uint32_t index() const {
        return (static_cast<std::uint32_t>(direction) * 4U) + (maximum ? 0U : 2U) + (convex ? 0U : 1U);
    }
    static ChangeKind from_index(std::uint32_t index) {
        return {static_cast<int>(index / 4U), (index & 2U) == 0U, (index & 1U) == 0U};
    }
    bool operator==(const ChangeKind&) const = default;
};

/// The schema of networks made with these parameters. Throws Error(usage) if a parameter is out of range.
[[nodiscard]] std::shared_ptr<const Schema> front_end_schema(const FrontEndParams& params);

/// A closed contour in px of the original image, or of the deskewed image.
struct Contour {
    struct Point {
        double x = 0;
        double y = 0;
    };
    std::vector<Point> points;
    int depth = 0; ///< even: outer boundary, odd: hole
};

/// Number of connected components and holes of an image.
struct Topology {
    int components = 0;
    int holes = 0;

    bool operator==(const Topology&) const = default;
};

/// Maps px of the image (after deskewing) to coordinates of the network: with (x, y) = (px - origin) * unit,
/// the position in the network is (x * cosine + y * sine, y * cosine - x * sine).
struct CoordinateTransform {
    double origin_x = 0;
    double origin_y = 0;
    double unit = 1;
    double cosine = 1;
    double sine = 0;

    bool operator==(const CoordinateTransform&) const = default;
};

/// How the front end deskewed an image: the pixel at (x, y) of the deskewed image shows the one at
/// (x + shear * (y - centre_y), y) of the image. Without deskewing the shear is 0.
struct Slant {
    double shear = 0;
    double centre_y = 0;

    bool operator==(const Slant&) const = default;
};

/// Converts images to networks. It reuses its memory: after a few images of one size it does not allocate.
/// Not thread-safe; use one per thread.
class FrontEnd {
  public:
    /// Throws Error(usage) if a parameter is out of range.
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
    /// The same, written to `network`, whose memory is reused.
    void extract(ImageView image, Network& network);

    /// Intermediate results of the last call of `operator()`, `extract` or `topology`, for drawing: the
    /// binary image after deskewing and scaling, the contours that were not dropped, the coordinate
    /// transform, and what deskewing removed.
    [[nodiscard]] Image binarized() const;
    [[nodiscard]] std::vector<Contour> contours() const;
    [[nodiscard]] const CoordinateTransform& transform() const;
    [[nodiscard]] const Slant& slant() const;

    /// Counts components and holes, on the same contours that the network is made from.
    [[nodiscard]] Topology topology(ImageView image);

  private:
    struct Workspace;
    std::unique_ptr<Workspace> work_;
};

/// How a picture is normalised to look like MNIST; see docs/method.md.
struct NormaliseParams {
    enum class Polarity { guess, dark_on_light, light_on_dark };
    Polarity polarity = Polarity::guess;
    /// Inverts the polarity, whether given or guessed.
    bool invert = false;
    /// Length of the ink's longer side after scaling, px. 0: 20, or what a model's front end needs.
    int box = 0;
    /// Side of the result, a square in which the ink is centred by mass, px. 0: 28, or what a model's front
    /// end needs.
    int side = 0;
    /// Evens out the light of pictures of at least 64 x 64 px before ink and paper are separated. Without it,
    /// a picture must be clean, such as a rendered one.
    bool even_light = true;
    /// Evens out the width of pens, for a box in which strokes have several px, and enlarges smoothly ink
    /// that is smaller than the box. Without it, only strokes that would vanish are widened.
    bool even_pens = false;

    /// The box and the side that are used if no front end asks for others.
    static constexpr int usual_box = 20;
    static constexpr int usual_side = 28;
};

/// How a model with this front end normalises pictures: the front end's resolution is the side, and the pens
/// are evened out. What `params` gives is kept; without a resolution, all of it.
[[nodiscard]] NormaliseParams normalise_for(NormaliseParams params, const FrontEndParams& front_end);

/// A normalised picture, and how it was normalised.
struct Normalised {
    Image image;
    bool dark_on_light = false;   ///< polarity that was used
    int threshold = 0;            ///< between ink and paper, in the picture's grey levels with even light
    std::array<int, 4> crop = {}; ///< x, y, width and height of the ink in the picture
    /// Amount by which strokes were widened, or narrowed if negative, in px of the picture.
    int thickened = 0;
    int box = 0; ///< length of the ink's longer side in the image, px
};

/// Throws Error(bad_input) if the picture has no ink: if nothing in it stands out from the background.
[[nodiscard]] Normalised normalise(const Picture& picture, const NormaliseParams& params = {});

} // namespace sprig
