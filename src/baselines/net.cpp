#include "baselines/net.h"

#include <array>
#include <filesystem>
#include <string>

#include <dlfcn.h>
#include <fmt/format.h>

#include "sprig/error.h"

namespace sprig::baselines {

namespace {

using MakeNet = Net* (*)(const Shape&, double, std::uint64_t);
constexpr const char* module = "libsprig-torch.so";

/// Where the module lies, seen from the program: beside it when it was built, in lib when it was installed.
constexpr std::array<const char*, 4> folders = {".", "..", "../..", "../lib/sprig"};

struct Loaded {
    MakeNet make = nullptr;
    std::string why_not;
};

Loaded load() {
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    for (const char* folder : folders) {
        const std::filesystem::path file = program.parent_path() / folder / module;
        if (!std::filesystem::exists(file, error)) continue;
        void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr)
            return {nullptr, fmt::format("{} cannot be loaded: {}", file.string(), dlerror())};
        // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): it is what dlsym gives
        const auto make = reinterpret_cast<MakeNet>(dlsym(library, "sprig_make_net"));
        if (make == nullptr) return {nullptr, fmt::format("{} is not ours: {}", file.string(), dlerror())};
        return {make, {}};
    }
    return {nullptr, fmt::format("networks need LibTorch, and {} was not built: install libtorch-dev and "
                                 "libopenblas-dev, and build again",
                                 module)};
}

const Loaded& loaded() {
    static const Loaded once = load();
    return once;
}

} // namespace

bool has_networks() {
    return loaded().make != nullptr;
}

const std::string& why_no_networks() {
    return loaded().why_not;
}

std::unique_ptr<Net> make_net(const Shape& shape, double rate, std::uint64_t key) {
    if (!has_networks()) throw failed(why_no_networks());
    return std::unique_ptr<Net>(loaded().make(shape, rate, key));
}

} // namespace sprig::baselines
