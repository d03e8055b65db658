#pragma once

#include <charconv>
#include <cmath>
#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sprig/error.h"

/// Parameters by name. A kind of parameters has one list of them: a function that calls `visit(name, member)`
/// for every parameter, and `visit(name, member, names)` for those that are one of several words. Reading,
/// writing and setting all go through it, so that they cannot disagree.
namespace sprig::parameters {

template <typename Enum>
using Names = std::vector<std::pair<Enum, std::string_view>>;

[[noreturn]] inline void refuse(std::string_view name, std::string_view value, std::string_view wanted) {
    throw usage_error(fmt::format("{}={} makes no sense: {} is {}", name, value, name, wanted));
}

template <typename Number>
void set_number(std::string_view name, Number& member, std::string_view value) {
    Number number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc{} || end != value.data() + value.size()) {
        refuse(name, value, std::is_floating_point_v<Number> ? "a number" : "a whole number in its range");
    }
    member = number;
}

inline void set_value(std::string_view name, bool& member, std::string_view value) {
    if (value != "true" && value != "false") refuse(name, value, "true or false");
    member = value == "true";
}
inline void set_value(std::string_view name, double& member, std::string_view value) {
    set_number(name, member, value == "none" ? "inf" : value);
}
template <std::integral Number>
void set_value(std::string_view name, Number& member, std::string_view value) {
    set_number(name, member, value);
}
template <typename Enum>
void set_value(std::string_view name, Enum& member, std::string_view value, const Names<Enum>& names) {
    std::string words;
    for (const auto& [word, text] : names) {
        if (text == value) {
            member = word;
            return;
        }
        words += fmt::format("{}{}", words.empty() ? "" : ", ", text);
    }
    refuse(name, value, "one of " + words);
}

/// Sets the parameter of that name; false if the list has none.
template <typename Params, typename List>
bool set_in(Params& params, const List& each, std::string_view name, std::string_view value) {
    bool found = false;
    each(params, [&](std::string_view called, auto& member, const auto&... names) {
        if (called != name) return;
        found = true;
        set_value(name, member, value, names...);
    });
    return found;
}

/// All names of a list, for a sentence.
template <typename Params, typename List>
std::string names_in(Params params, const List& each) {
    std::string known;
    each(params, [&](std::string_view called, const auto&, const auto&...) {
        known += fmt::format("{}{}", known.empty() ? "" : ", ", called);
    });
    return known;
}

/// All parameters of a list as a JSON object, whose values can be set again: what has no bound is null, and
/// what has none below is the word for it.
template <typename Params, typename List>
nlohmann::ordered_json json_of(const Params& params, const List& each) {
    nlohmann::ordered_json json = nlohmann::ordered_json::object();
    each(params, [&](const char* name, const auto& member, const auto&... names) {
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (sizeof...(names) > 0) {
            for (const auto& [word, text] : (names, ...)) {
                if (word == member) json[name] = text;
            }
        } else if constexpr (std::is_same_v<Member, double>) {
            json[name] = member;
            if (std::isinf(member)) json[name] = nullptr;
            if (std::isinf(member) && member < 0) json[name] = "-inf";
        } else {
            json[name] = member;
        }
    });
    return json;
}

/// Takes the values of a JSON object one by one, as words that can be set. No tree is made of it: to destroy
/// one takes memory, of which there may be none.
template <typename Set>
class Values {
  public:
    explicit Values(const Set& set) : set_(set) {}

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

    const Set& set_;
    std::string name_;
    int depth_ = 0;
};

/// Calls `set` with every name and value of a JSON object, values as one would write them on a command line.
/// Throws Error(bad_input) if the text is something else.
template <typename Set>
void read(const std::string& json, const Set& set) {
    Values<Set> values(set);
    if (!nlohmann::json::sax_parse(json, &values)) throw bad_input("its parameters are not JSON");
}

} // namespace sprig::parameters
