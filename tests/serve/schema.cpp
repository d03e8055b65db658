#include "serve/schema.h"

#include <algorithm>
#include <regex>
#include <set>

#include <fmt/format.h>

namespace sprig::serve_test {

namespace {

using Json = nlohmann::ordered_json;

bool is_of_type(const Json& value, const std::string& type) {
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "null") return value.is_null();
    if (type == "array") return value.is_array();
    return type == "object" && value.is_object();
}

bool is_of_one_type(const Json& value, const Json& types) {
    if (types.is_string()) return is_of_type(value, types.get<std::string>());
    return std::ranges::any_of(types,
                               [&](const Json& type) { return is_of_type(value, type.get<std::string>()); });
}

class Check {
  public:
    Check(const Json& value, const Json& schema, const Json& document, const std::string& where)
        : value_(value), schema_(schema), document_(document), where_(where) {}

    std::string run() {
        for (const auto& [keyword, setting] : schema_.items()) {
            const std::string problem = check(keyword, setting);
            if (!problem.empty())
                return problem.starts_with('$') ? problem : fmt::format("{}: {}", where_, problem);
        }
        return {};
    }

  private:
    std::string check(const std::string& keyword, const Json& setting) {
        static const std::set<std::string> notes = {"description", "default", "contentEncoding",
                                                    "contentMediaType"};
        if (notes.contains(keyword)) return {};
        if (keyword == "$ref")
            return other(document_.at(Json::json_pointer(setting.get<std::string>().substr(1))));
        if (keyword == "type") return is_of_one_type(value_, setting) ? "" : "is not " + setting.dump();
        if (keyword == "enum")
            return std::ranges::count(setting, value_) > 0 ? "" : "is not in " + setting.dump();
        if (keyword == "oneOf" || keyword == "allOf") return combined(keyword, setting);
        if (value_.is_object()) return of_object(keyword, setting);
        if (value_.is_array()) return of_array(keyword, setting);
        if (value_.is_string()) return of_text(keyword, setting);
        return of_number(keyword, setting);
    }
    [[nodiscard]] std::string other(const Json& schema) const {
        return mismatch(value_, schema, document_, where_);
    }
    [[nodiscard]] std::string combined(const std::string& keyword, const Json& schemas) const {
        const auto matches =
            std::ranges::count_if(schemas, [&](const Json& one) { return other(one).empty(); });
        const auto wanted = keyword == "oneOf" ? 1 : static_cast<std::ptrdiff_t>(schemas.size());
        return matches == wanted ? "" : fmt::format("matches {} schemas of {}", matches, keyword);
    }
    [[nodiscard]] std::string of_object(const std::string& keyword, const Json& setting) const {
        if (keyword == "required") {
            for (const Json& name : setting)
                if (!value_.contains(name.get<std::string>())) return "has no " + name.dump();
            return {};
        }
        if (keyword == "additionalProperties") {
            for (const auto& [name, unused] : value_.items())
                if (setting == false && !schema_.at("properties").contains(name))
                    return "has the unknown key " + name;
            return {};
        }
        if (keyword != "properties") return unknown(keyword);
        for (const auto& [name, schema] : setting.items()) {
            if (!value_.contains(name)) continue;
            const std::string problem = mismatch(value_.at(name), schema, document_, where_ + "." + name);
            if (!problem.empty()) return problem;
        }
        return {};
    }
    [[nodiscard]] std::string of_array(const std::string& keyword, const Json& setting) const {
        if (keyword == "minItems") return value_.size() >= setting ? "" : "is too short";
        if (keyword == "maxItems") return value_.size() <= setting ? "" : "is too long";
        if (keyword != "items") return unknown(keyword);
        for (std::size_t i = 0; i < value_.size(); ++i) {
            const std::string problem =
                mismatch(value_[i], setting, document_, fmt::format("{}[{}]", where_, i));
            if (!problem.empty()) return problem;
        }
        return {};
    }
    [[nodiscard]] std::string of_text(const std::string& keyword, const Json& setting) const {
        const auto text = value_.get<std::string>();
        if (keyword == "minLength") return text.size() >= setting ? "" : "is too short";
        if (keyword != "pattern") return unknown(keyword);
        return std::regex_search(text, std::regex(setting.get<std::string>()))
                   ? ""
                   : "does not match " + setting.dump();
    }
    [[nodiscard]] std::string of_number(const std::string& keyword, const Json& setting) const {
        if (keyword == "minimum") return value_ >= setting ? "" : "is below " + setting.dump();
        if (keyword == "maximum") return value_ <= setting ? "" : "is above " + setting.dump();
        return unknown(keyword);
    }
    /// A keyword of another type says nothing about this value; one that is not known is an error.
    [[nodiscard]] static std::string unknown(const std::string& keyword) {
        static const std::set<std::string> known = {"required",   "additionalProperties",
                                                    "properties", "minItems",
                                                    "maxItems",   "items",
                                                    "minLength",  "pattern",
                                                    "minimum",    "maximum"};
        return known.contains(keyword) ? "" : "this test does not know the keyword " + keyword;
    }

    const Json& value_;
    const Json& schema_;
    const Json& document_;
    const std::string& where_;
};

} // namespace

std::string mismatch(const Json& value, const Json& schema, const Json& document, const std::string& where) {
    return Check(value, schema, document, where).run();
}

} // namespace sprig::serve_test
