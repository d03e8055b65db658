#include "cli/assessment_report.h"

#include <gmock/gmock.h>

namespace sprig::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

Prediction predicted(std::vector<double> probabilities, std::size_t best) {
    Prediction prediction;
    prediction.best = best;
    prediction.probabilities = std::move(probabilities);
    return prediction;
}

TEST(AssessmentReport, ContainsTables) {
    Assessor assessor({"a", "b"});
    assessor.add(predicted({0.75, 0.25}, 0), "a");
    assessor.add(predicted({0.25, 0.75}, 1), "a");
    const std::string text = assessment_report(assessor.result());
    EXPECT_THAT(text, HasSubstr("accuracy           0.5000\n"));
    EXPECT_THAT(text, HasSubstr("class  images  correct  accuracy  predicted  most frequent error\n"
                                "----------------------------------------------------------------\n"
                                "a           2        1    0.5000          1               1 as b\n"
                                "b           0        0         -          1                     \n"
                                "----------------------------------------------------------------\n"
                                "all         2        1    0.5000          2                     \n"));
    EXPECT_THAT(text, HasSubstr("class  a  b\n"
                                "-----------\n"
                                "a      1  1\n"
                                "b      .  .\n"));
    EXPECT_THAT(text, HasSubstr("0.73 to 0.80       2      0.7500    0.5000\n"));
    EXPECT_THAT(text, HasSubstr("50 %"));
    EXPECT_THAT(text, Not(HasSubstr("unknown")));
}

TEST(AssessmentReport, ListsUnknownClasses) {
    Assessor assessor({"a"});
    assessor.add(predicted({1}, 0), "z");
    EXPECT_THAT(assessment_report(assessor.result()), HasSubstr("z                   1\n"));
    EXPECT_THAT(assessment_report(assessor.result()), Not(HasSubstr("ROC")));
    assessor.add(predicted({1}, 0), "a");
    EXPECT_THAT(assessment_report(assessor.result()), HasSubstr("by margin 0.5000, by probability 0.5000\n"));
}

TEST(AssessmentReport, OmitsTheConfusionMatrixOfManyClasses) {
    std::vector<std::string> classes;
    for (int c = 0; c < 26; ++c) classes.emplace_back(1, static_cast<char>('a' + c));
    Assessor assessor(classes);
    assessor.add(predicted(std::vector<double>(26, 1.0 / 26), 0), "b");
    const std::string text = assessment_report(assessor.result());
    EXPECT_THAT(text, Not(HasSubstr("Confusion matrix")));
    EXPECT_THAT(text, HasSubstr("1 as a"));
}

} // namespace
} // namespace sprig::cli
