#include "cli/shell_support.h"

#include <gmock/gmock.h>

#include "cli/verbs.h"

namespace sprig::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A program with every kind of verb and option.
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
        set_completions(*some, {"one", "two:three", "two:four"}, FileNames::allowed);
        set_completions(*verb->add_option("--free", text, "Anything")->type_name("ANY"), {});
        verb->add_option("--count", count, "How many")->check(CLI::Range(1, 9))->needs(some);
        verb->add_flag("--yes", yes, "Yes");
        verb->add_flag("--hidden", yes, "Not for people")->group("");
        CLI::App* nest = app.add_subcommand("nest", "Holds another");
        CLI::App* deeper = nest->add_subcommand("deeper", "Do it deeper");
        deeper->add_option("--file", text, "A file")->type_name("FILE");
        deeper->footer("\nA sentence\nof two lines.\n\nExamples:\n  some-program nest deeper");
        app.add_subcommand("secret", "Not for people")->group("");
    }
    /// The completions, with "files" at the end if file names are possible.
    std::vector<std::string> completed(const std::vector<std::string>& words) {
        const Completions completions = completions_for(app, words);
        std::vector<std::string> texts;
        for (const Completions::Word& word : completions.words) texts.push_back(word.text);
        if (completions.files) texts.emplace_back("files");
        return texts;
    }
};

TEST(Completions, FollowTheDeclarations) {
    Program p;
    EXPECT_THAT(p.completed({""}), ElementsAre("do", "nest")) << "hidden verbs are left out";
    EXPECT_THAT(p.completed({}), ElementsAre("do", "nest"));
    EXPECT_THAT(p.completed({"n"}), ElementsAre("nest"));
    EXPECT_THAT(p.completed({"nest", ""}), ElementsAre("deeper"));
    EXPECT_THAT(p.completed({"do", ""}), ElementsAre("this", "that"));
    EXPECT_THAT(p.completed({"do", "--yes", "tha"}), ElementsAre("that"));
    EXPECT_THAT(p.completed({"do", "this", "x", "y", ""}), ElementsAre("files"));
    EXPECT_THAT(p.completed({"do", "--some", ""}), ElementsAre("one", "two:three", "two:four", "files"));
    EXPECT_THAT(p.completed({"do", "-s", "o"}), ElementsAre("one", "files"));
    EXPECT_THAT(p.completed({"do", "--free", ""}), IsEmpty());
    EXPECT_THAT(p.completed({"do", "--count", ""}), IsEmpty()) << "a number";
    EXPECT_THAT(p.completed({"do", "--"}), ElementsAre("--help", "--some", "--free", "--count", "--yes"));
    EXPECT_THAT(p.completed({"nest", "deeper", "--file", ""}), ElementsAre("files"));
    EXPECT_THAT(p.completed({"nest", "deeper", ""}), IsEmpty());
    EXPECT_EQ(completions_for(p.app, {"d"}).words.at(0).description, "Do [a] thing: now");
    EXPECT_EQ(completions_for(p.app, {"do", "--ye"}).words.at(0).description, "Yes");
}

TEST(Completions, ContinueAWordThatBashHasSplit) {
    Program p;
    EXPECT_THAT(p.completed({"do", "--some", "two:t"}), ElementsAre("two:three", "files"));
    EXPECT_THAT(p.completed({"do", "--some", "two", ":", "t"}), ElementsAre("three"));
    EXPECT_THAT(p.completed({"do", "--some", "two", ":"}), ElementsAre("three", "four"));
    EXPECT_THAT(p.completed({"do", "--some=o"}), ElementsAre("--some=one", "files"));
    EXPECT_THAT(p.completed({"do", "--some", "=", "o"}), ElementsAre("one"));
    EXPECT_THAT(p.completed({"do", "--some", "="}), ElementsAre("one", "two:three", "two:four"));
    EXPECT_THAT(p.completed({"do", "--some", "=", "two", ":", "f"}), ElementsAre("four"));
    EXPECT_THAT(p.completed({"do", "--some", "=", "one", "--y"}), ElementsAre("--yes"));
    EXPECT_THAT(p.completed({"do", "--some", "=", "one", "tha"}), ElementsAre("that"));
}

TEST(Completions, DoNotRestrictValues) {
    Program p;
    const std::string help = p.app.get_subcommand("do")->help();
    EXPECT_THAT(help, HasSubstr("--some TEXT=usual"));
    EXPECT_THAT(help, Not(HasSubstr("two")));
    p.app.parse("do this --some three");
    EXPECT_EQ(p.app.get_subcommand("do")->get_option("--some")->as<std::string>(), "three");
}

TEST(ManPage, ContainsTheHelp) {
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
        << "a verb without a footer must not repeat the program's";
}

TEST(CompletionScript, NamesTheProgram) {
    for (const char* shell : {"bash", "zsh", "fish"}) {
        EXPECT_THAT(completion_script("some-program", shell), HasSubstr("some-program"));
        EXPECT_THAT(completion_script("some-program", shell), Not(HasSubstr("PROGRAM")));
    }
}

} // namespace
} // namespace sprig::cli
