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

/// Access to parameters by name. Each parameter struct has one list: a function that calls `visit(name,
/// member)` for every parameter, or `visit(name, member, names)` for an enumeration. Reading, writing and
/// setting all use this list, so they cannot disagree.
namespace sprig::parameters {

template <typename Enum>
using Names = std::vector<std::pair<Enum, std::string_view>>;

[[noreturn]] inline void reject(std::string_view name, std::string_view value, std::string_view expected) {
    throw usage_error(fmt::format("{}={} is invalid: {} must be {}", name, value, name, expected));
}

template <typename Number>
void set_number(std::string_view name, Number& member, std::string_view value) {
    Number number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc{} || end != value.data() + value.size()) {
        reject(name, value, std::is_floating_point_v<Number> ? "a number" : "a whole number in its range");
    }
    member = number;
}

inline void set_value(std::string_view name, bool& member, std::string_view value) {
    if (value != "true" && value != "false") reject(name, value, "true or false");
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
    reject(name, value, "one of " + words);
}

/// Sets the parameter `name`. Returns false if the list does not contain it.
template <typename Params, typename List>
bool set_in(Params& params, const List& each, std::string_view name, std::string_view value) {
    bool found = false;
    each(params, [&](std::string_view candidate, auto& member, const auto&... names) {
        if (candidate != name) return;
        found = true;
        set_value(name, member, value, names...);
    });
    return found;
}

/// The names in a list, separated by commas, for a message.
template <typename Params, typename List>
std::string names_in(Params params, const List& each) {
    std::string all;
    each(params, [&](std::string_view name, const auto&, const auto&...) {
        all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
    });
    return all;
}

/// All parameters of a list as the text of a JSON object that `read` accepts. Infinity is null, minus
/// infinity is "-inf". It does not build a DOM of the object; see FlatObjectReader.
template <typename Params, typename List>
std::string json_text(const Params& params, const List& each) {
    std::string text;
    const auto add = [&text](const char* name, const nlohmann::ordered_json& value) {
        text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ",", name, value.dump());
    };
    each(params, [&](const char* name, const auto& member, const auto&... names) {
        using Member = std::remove_cvref_t<decltype(member)>;
        if constexpr (sizeof...(names) > 0) {
            for (const auto& [word, value] : (names, ...)) {
                if (word == member) add(name, value);
            }
        } else if constexpr (std::is_same_v<Member, double>) {
            if (std::isinf(member)) {
                add(name, member < 0 ? nlohmann::ordered_json("-inf") : nlohmann::ordered_json());
            } else {
                add(name, member);
            }
        } else {
            add(name, member);
        }
    });
    return "{" + text + "}";
}

/// SAX handler that passes each value of a flat JSON object to `set` as text. It does not build a DOM,
/// because nlohmann::ordered_json allocates memory when it destroys one, and there may be none left.
template <typename Set>
class FlatObjectReader {
  public:
    explicit FlatObjectReader(const Set& set) : set_(set) {}

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

/// Calls `set` with every name and value of a flat JSON object; values are spelled as on the command line.
/// Throws Error(bad_input) if the text is not such an object.
template <typename Set>
void read(const std::string& json, const Set& set) {
    FlatObjectReader<Set> reader(set);
    if (!nlohmann::ordered_json::sax_parse(json, &reader))
        throw bad_input("the parameters are not valid JSON");
}

} // namespace sprig::parameters
