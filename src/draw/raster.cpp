#include "draw/raster.h"

#include <cmath>
#include <cstdint>
#include <memory>

#include <cairo.h>
#include <fmt/format.h>
#include <librsvg/rsvg.h>

#include "sprig/error.h"

namespace sprig::draw {
namespace {

template <auto release>
struct Releaser {
    template <typename T>
    void operator()(T* handle) const {
        release(handle);
    }
};
using Handle = std::unique_ptr<RsvgHandle, Releaser<g_object_unref>>;
using Surface = std::unique_ptr<cairo_surface_t, Releaser<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Releaser<cairo_destroy>>;
using GlibError = std::unique_ptr<GError, Releaser<g_error_free>>;

/// Cairo's own limit.
constexpr double largest_side = 32767;

struct Size {
    double width = 0;
    double height = 0;
};

Error bad_svg(GError* reason) {
    const GlibError error(reason);
    return bad_input(fmt::format("the text is not an SVG picture: {}",
                                 error ? error->message : "its size cannot be told"));
}

Handle parse(std::string_view svg) {
    GError* error = nullptr;
    Handle handle(rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
    if (!handle) throw bad_svg(error);
    return handle;
}

Size size_of(RsvgHandle* handle, double zoom) {
    Size size;
    if (rsvg_handle_get_intrinsic_size_in_pixels(handle, &size.width, &size.height) == 0)
        throw bad_svg(nullptr);
    size = {std::ceil(size.width * zoom), std::ceil(size.height * zoom)};
    if (!(size.width >= 1 && size.height >= 1 && size.width <= largest_side && size.height <= largest_side))
        throw usage_error(fmt::format("a picture of {:.0f} x {:.0f} px cannot be made: a side must have 1 to "
                                      "{:.0f} px; choose another zoom",
                                      size.width, size.height, largest_side));
    return size;
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS)
        throw failed(fmt::format("the picture could not be rendered: {}", cairo_status_to_string(status)));
}

} // namespace

std::string render_png(std::string_view svg, double zoom) {
    const Handle handle = parse(svg);
    const Size size = size_of(handle.get(), zoom);
    const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, static_cast<int>(size.width),
                                                     static_cast<int>(size.height)));
    check(cairo_surface_status(surface.get()));
    const Context context(cairo_create(surface.get()));
    const RsvgRectangle paper{0, 0, size.width, size.height};
    GError* error = nullptr;
    if (rsvg_handle_render_document(handle.get(), context.get(), &paper, &error) == 0) throw bad_svg(error);
    check(cairo_status(context.get()));

    std::string png;
    check(cairo_surface_write_to_png_stream(surface.get(), append, &png));
    return png;
}

} // namespace sprig::draw
