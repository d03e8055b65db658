#include <string_view>

#include <nlohmann/json.hpp>

#include "fuzz_target.h"
#include "lab/report/report.h"
#include "lab/report/study_files.h"
#include "sprig/error.h"

namespace {

/// An accepted summary can be reported.
void report(std::string_view text) {
    try {
        const sprig::lab::StoredStudy study = sprig::lab::parse_study(text);
        (void)sprig::lab::html_report({study}, {});
        for (const sprig::lab::StudyTable& table : study.tables) (void)sprig::lab::markdown_of(study, table);
    } catch (const sprig::Error& error) {
        sprig::fuzz::require(error.kind() == sprig::ErrorKind::bad_input);
    }
}

/// An accepted result survives a round trip.
void round_trip(std::string_view text) {
    const auto json = nlohmann::ordered_json::parse(text, nullptr, false);
    if (json.is_discarded()) return;
    try {
        const auto again = sprig::lab::json_of(sprig::lab::result_of(json));
        sprig::fuzz::require(sprig::lab::json_of(sprig::lab::result_of(again)) == again);
    } catch (const sprig::Error& error) {
        sprig::fuzz::require(error.kind() == sprig::ErrorKind::bad_input);
    }
}

/// Documents are arbitrary text.
void fill_document(std::string_view text) {
    try {
        (void)sprig::lab::with_results(std::string(text), {});
    } catch (const sprig::Error& error) {
        sprig::fuzz::require(error.kind() == sprig::ErrorKind::bad_input);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    report(text);
    round_trip(text);
    fill_document(text);
    return 0;
}
