#include "cli/declarations.h"

#include <gmock/gmock.h>

#include "cli/verbs.h"

namespace sprig::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A program with one of everything.
struct Program {
    CLI::App app{"Does it's \\ work: well", "some-program"};
    std::string text = "usual";
    std::vector<std::string> files;
    int count = 3;
    bool yes = false;

    Program() {
        app.set_help_flag("-h,--help", "Help");
        app.footer("\nFiles:\n  a b    one\n\nExamples:\n  some-program do");
        CLI::App* verb = app.add_subcommand("do", "Do [a] thing: now");
        verb->add_option("WORD", text, "Which word")->required()->check(CLI::IsMember({"this", "that"}));
        verb->add_option("FILES", files, "Which files");
        CLI::Option* some =
            verb->add_option("-s,--some", text, ".dotted text")->capture_default_str()->group("Own");
        offer(*some, {"one", "two:three", "two:four"}, Besides::files);
        offer(*verb->add_option("--free", text, "Anything")->type_name("ANY"), {});
        verb->add_option("--count", count, "How many")->check(CLI::Range(1, 9))->needs(some);
        verb->add_flag("--yes", yes, "Yes");
        verb->add_flag("--hidden", yes, "Not for people")->group("");
        CLI::App* nest = app.add_subcommand("nest", "Holds another");
        CLI::App* deeper = nest->add_subcommand("deeper", "Do it deeper");
        deeper->add_option("--file", text, "A file")->type_name("FILE");
        deeper->footer("\nA sentence\nof two lines.\n\nExamples:\n  some-program nest deeper");
        app.add_subcommand("secret", "Not for people")->group("");
    }
    /// What is offered, and the word "files" at the end if they are.
    std::vector<std::string> offered(const std::vector<std::string>& words) {
        const Offers offers = offers_at(app, words);
        std::vector<std::string> texts;
        for (const Offers::Word& word : offers.words) texts.push_back(word.text);
        if (offers.files) texts.emplace_back("files");
        return texts;
    }
};

TEST(Offers, AreWhatWasDeclared) {
    Program p;
    EXPECT_THAT(p.offered({""}), ElementsAre("do", "nest")) << "without the hidden one";
    EXPECT_THAT(p.offered({}), ElementsAre("do", "nest"));
    EXPECT_THAT(p.offered({"n"}), ElementsAre("nest"));
    EXPECT_THAT(p.offered({"nest", ""}), ElementsAre("deeper"));
    EXPECT_THAT(p.offered({"do", ""}), ElementsAre("this", "that"));
    EXPECT_THAT(p.offered({"do", "--yes", "tha"}), ElementsAre("that"));
    EXPECT_THAT(p.offered({"do", "this", "x", "y", ""}), ElementsAre("files"));
    EXPECT_THAT(p.offered({"do", "--some", ""}), ElementsAre("one", "two:three", "two:four", "files"));
    EXPECT_THAT(p.offered({"do", "-s", "o"}), ElementsAre("one", "files"));
    EXPECT_THAT(p.offered({"do", "--free", ""}), IsEmpty());
    EXPECT_THAT(p.offered({"do", "--count", ""}), IsEmpty()) << "a number";
    EXPECT_THAT(p.offered({"do", "--"}), ElementsAre("--help", "--some", "--free", "--count", "--yes"));
    EXPECT_THAT(p.offered({"nest", "deeper", "--file", ""}), ElementsAre("files"));
    EXPECT_THAT(p.offered({"nest", "deeper", ""}), IsEmpty());
    EXPECT_EQ(offers_at(p.app, {"d"}).words.at(0).description, "Do [a] thing: now");
    EXPECT_EQ(offers_at(p.app, {"do", "--ye"}).words.at(0).description, "Yes");
}

TEST(Offers, OfAWordThatBashPartsAreItsRest) {
    Program p;
    EXPECT_THAT(p.offered({"do", "--some", "two:t"}), ElementsAre("two:three", "files"));
    EXPECT_THAT(p.offered({"do", "--some", "two", ":", "t"}), ElementsAre("three"));
    EXPECT_THAT(p.offered({"do", "--some", "two", ":"}), ElementsAre("three", "four"));
    EXPECT_THAT(p.offered({"do", "--some=o"}), ElementsAre("--some=one", "files"));
    EXPECT_THAT(p.offered({"do", "--some", "=", "o"}), ElementsAre("one"));
    EXPECT_THAT(p.offered({"do", "--some", "="}), ElementsAre("one", "two:three", "two:four"));
    EXPECT_THAT(p.offered({"do", "--some", "=", "two", ":", "f"}), ElementsAre("four"));
    EXPECT_THAT(p.offered({"do", "--some", "=", "one", "--y"}), ElementsAre("--yes"));
    EXPECT_THAT(p.offered({"do", "--some", "=", "one", "tha"}), ElementsAre("that"));
}

TEST(Offers, AreNoCheck) {
    Program p;
    const std::string help = p.app.get_subcommand("do")->help();
    EXPECT_THAT(help, HasSubstr("--some TEXT=usual"));
    EXPECT_THAT(help, Not(HasSubstr("two")));
    p.app.parse("do this --some three");
    EXPECT_EQ(p.app.get_subcommand("do")->get_option("--some")->as<std::string>(), "three");
}

TEST(ManPage, IsMadeOfTheHelp) {
    Program p;
    const std::string page = man_page(p.app);
    EXPECT_THAT(page, HasSubstr(".SH \"NAME\"\nsome\\-program \\- Does it\\(aqs \\e work\n"));
    EXPECT_THAT(page, HasSubstr(".SS \"some-program nest deeper\"\n"));
    EXPECT_THAT(page, HasSubstr(".TP\n\\-s,\\-\\-some TEXT=usual\n\\&.dotted text\n"));
    EXPECT_THAT(page, HasSubstr(".SH Files\n.TP\na b\none\n"));
    EXPECT_THAT(page, HasSubstr("\nA sentence\n"));
    EXPECT_THAT(page, Not(HasSubstr("hidden")));
    EXPECT_THAT(page, Not(HasSubstr("secret")));
    const std::size_t files = page.find("Files");
    EXPECT_EQ(page.find("Files", files + 1), std::string::npos)
        << "a verb without a footer has not the program's";
}

TEST(CompletionScript, IsAboutTheProgram) {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        EXPECT_THAT(completion_script("some-program", shell), HasSubstr("some-program"));
        EXPECT_THAT(completion_script("some-program", shell), Not(HasSubstr("PROGRAM")));
    }
}

} // namespace
} // namespace sprig::cli
