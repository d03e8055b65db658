#include "store/parameters.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "learner/front_end_parameters.h"
#include "modeller/access.h"
#include "sprig/constellation.h"
#include "sprig/error.h"
#include "store/codec.h"

namespace sprig::store {

namespace {

/// Takes the values of an object one by one. No tree is made of it: to destroy one takes memory, of which
/// there may be none.
class Values {
  public:
    explicit Values(const std::function<void(std::string_view, std::string_view)>& set) : set_(set) {}

    bool null() { return value("none"); }
    bool boolean(bool truth) { return value(truth ? "true" : "false"); }
    bool number_integer(std::int64_t number) { return value(std::to_string(number)); }
    bool number_unsigned(std::uint64_t number) { return value(std::to_string(number)); }
    bool number_float(double, const std::string& digits) { return value(digits); }
    bool string(const std::string& text) { return value(text); }
    bool key(const std::string& name) {
        name_ = name;
        return true;
    }
    bool start_object(std::size_t) { return depth_++ == 0; }
    bool end_object() { return true; }
    static bool binary(const std::vector<std::uint8_t>&) { return false; }
    static bool start_array(std::size_t) { return false; }
    static bool end_array() { return false; }
    template <typename Exception>
    static bool parse_error(std::size_t, const std::string&, const Exception&) {
        return false;
    }

  private:
    bool value(std::string_view text) {
        if (depth_ != 1) return false;
        set_(name_, text);
        return true;
    }

    const std::function<void(std::string_view, std::string_view)>& set_;
    std::string name_;
    int depth_ = 0;
};

} // namespace

void read_parameters(const std::string& json,
                     const std::function<void(std::string_view, std::string_view)>& set) {
    Values values(set);
    if (!nlohmann::json::sax_parse(json, &values)) throw bad_input("its parameters are not JSON");
}

FrontEndParams read_front_end(const std::string& json) {
    FrontEndParams params;
    read_parameters(json, [&](std::string_view name, std::string_view value) {
        if (!learner::set_parameter(params, name, value))
            throw usage_error(fmt::format("the front end has no parameter {}", name));
    });
    (void)front_end_schema(params); // refuses what is out of range
    return params;
}

std::unique_ptr<Codec> make_codec(const Head& head) {
    try {
        if (head.learner == "constellation") return make_constellation_codec(head);
        if (head.learner == "modeller") return make_modeller_codec(head);
    } catch (const Error& error) {
        throw bad_input(
            fmt::format("its parameters are not known here ({}): is it of a newer version?", error.what()));
    }
    throw bad_input(fmt::format("there is no learner '{}' here: is it of a newer version?", head.learner));
}

Head head_of(const Learner& learner, std::string preset) {
    Head head;
    head.learner = learner.name();
    head.preset = std::move(preset);
    head.parameters = learner.parameters();
    head.front_end = learner::to_json(learner.front_end()).dump();
    head.method = static_cast<std::uint64_t>(learner.version());
    if (const auto* modeller = dynamic_cast<const Modeller*>(&learner))
        head.seed = modeller::Access::seed(*modeller);
    head.steps = learner.steps();
    return head;
}

} // namespace sprig::store
