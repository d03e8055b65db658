#include "draw/raster.h"

#include <cmath>
#include <cstdint>
#include <memory>

#include <fmt/format.h>

#include "host/host.h"
#include "sprig/error.h"

namespace sprig::draw {
namespace {

// librsvg and cairo are loaded when the first PNG is written: they bring some forty other libraries, which
// would double the start-up time of every command. These are the declarations of their headers that are used
// here.
struct GError {
    std::uint32_t domain;
    int code;
    char* message;
};
struct Rectangle {
    double x, y, width, height;
};
using WriteFunction = int (*)(void* closure, const unsigned char* data, unsigned int length);
constexpr int argb32 = 0; ///< CAIRO_FORMAT_ARGB32
constexpr int success = 0;

/// A library that drawing a PNG needs.
class SharedLibrary {
  public:
    SharedLibrary(const char* file, const char* package) : file_(file), library_(file) {
        if (!library_.is_loaded())
            throw failed(
                fmt::format("cannot write a PNG because {} is not installed: install the package {}, "
                            "or write an .svg file",
                            file, package));
    }

    template <typename Function>
    void get(Function*& function, const char* name) const {
        function = reinterpret_cast<Function*>(library_.find(name));
        if (function == nullptr)
            throw failed(fmt::format("cannot write a PNG because {} has no function {}; write an .svg file",
                                     file_, name));
    }

  private:
    const char* file_;
    host::SharedLibrary library_;
};

struct Renderer {
    Renderer() {
        const SharedLibrary gobject("libgobject-2.0.so.0", "libglib2.0-0");
        gobject.get(unref, "g_object_unref");
        const SharedLibrary glib("libglib-2.0.so.0", "libglib2.0-0");
        glib.get(free_error, "g_error_free");
        const SharedLibrary rsvg("librsvg-2.so.2", "librsvg2-2");
        rsvg.get(parse, "rsvg_handle_new_from_data");
        rsvg.get(size, "rsvg_handle_get_intrinsic_size_in_pixels");
        rsvg.get(render, "rsvg_handle_render_document");
        const SharedLibrary cairo("libcairo.so.2", "libcairo2");
        cairo.get(new_surface, "cairo_image_surface_create");
        cairo.get(surface_status, "cairo_surface_status");
        cairo.get(destroy_surface, "cairo_surface_destroy");
        cairo.get(write_png, "cairo_surface_write_to_png_stream");
        cairo.get(new_context, "cairo_create");
        cairo.get(context_status, "cairo_status");
        cairo.get(destroy_context, "cairo_destroy");
        cairo.get(status_text, "cairo_status_to_string");
    }

    void (*unref)(void* object) = nullptr;
    void (*free_error)(GError* error) = nullptr;
    void* (*parse)(const std::uint8_t* data, std::size_t size, GError** error) = nullptr;
    int (*size)(void* handle, double* width, double* height) = nullptr;
    int (*render)(void* handle, void* context, const Rectangle* viewport, GError** error) = nullptr;
    void* (*new_surface)(int format, int width, int height) = nullptr;
    int (*surface_status)(void* surface) = nullptr;
    void (*destroy_surface)(void* surface) = nullptr;
    int (*write_png)(void* surface, WriteFunction write, void* closure) = nullptr;
    void* (*new_context)(void* surface) = nullptr;
    int (*context_status)(void* context) = nullptr;
    void (*destroy_context)(void* context) = nullptr;
    const char* (*status_text)(int status) = nullptr;
};

/// Throws Error(failed), also on every later call, if a library is missing.
const Renderer& renderer() {
    static const Renderer loaded;
    return loaded;
}

using Object = std::unique_ptr<void, void (*)(void*)>;

Error bad_svg(GError* reason) {
    const std::unique_ptr<GError, void (*)(GError*)> error(reason, renderer().free_error);
    return bad_input(
        fmt::format("the text is not an SVG picture: {}", error ? error->message : "its size is not known"));
}

/// Cairo's own limit.
constexpr double max_side = 32767;

struct Size {
    double width = 0;
    double height = 0;
};

Size size_of(void* handle, double zoom) {
    Size size;
    if (renderer().size(handle, &size.width, &size.height) == 0) throw bad_svg(nullptr);
    size = {std::ceil(size.width * zoom), std::ceil(size.height * zoom)};
    if (!(size.width >= 1 && size.height >= 1 && size.width <= max_side && size.height <= max_side))
        throw usage_error(fmt::format("a picture of {:.0f} x {:.0f} px cannot be made: a side must have 1 to "
                                      "{:.0f} px; choose another zoom",
                                      size.width, size.height, max_side));
    return size;
}

int append(void* bytes, const unsigned char* data, unsigned int length) {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
    return success;
}

void check(int status) {
    if (status != success)
        throw failed(fmt::format("the picture could not be rendered: {}", renderer().status_text(status)));
}

} // namespace

std::string render_png(std::string_view svg, double zoom) {
    const Renderer& library = renderer();
    GError* error = nullptr;
    const Object handle(library.parse(reinterpret_cast<const std::uint8_t*>(svg.data()), svg.size(), &error),
                        library.unref);
    if (!handle) throw bad_svg(error);
    const Size size = size_of(handle.get(), zoom);
    const Object surface(
        library.new_surface(argb32, static_cast<int>(size.width), static_cast<int>(size.height)),
        library.destroy_surface);
    check(library.surface_status(surface.get()));
    const Object context(library.new_context(surface.get()), library.destroy_context);
    const Rectangle page{0, 0, size.width, size.height};
    if (library.render(handle.get(), context.get(), &page, &error) == 0) throw bad_svg(error);
    check(library.context_status(context.get()));

    std::string png;
    check(library.write_png(surface.get(), append, &png));
    return png;
}

} // namespace sprig::draw
