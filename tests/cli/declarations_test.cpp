#include "cli/declarations.h"

#include <gmock/gmock.h>

#include "cli/completion.h"
#include "cli/man_page.h"

namespace sprig::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// A program with one of everything.
struct Program {
    CLI::App app{"Does it's \\ work", "sprig"};
    std::string text = "usual";
    std::vector<std::string> files;
    int count = 3;
    bool yes = false;

    Program() {
        app.set_help_flag("-h,--help", "Help");
        app.footer("\nFiles:\n  a  one\n\nExamples:\n  sprig do");
        CLI::App* verb = app.add_subcommand("do", "Do [a] thing: now");
        CLI::App* deeper = verb->add_subcommand("deeper", "Do it deeper");
        verb->add_option("WORD", text, "Which word")->required()->check(CLI::IsMember({"this", "that"}));
        verb->add_option("FILES", files, "Which files");
        CLI::Option* some =
            verb->add_option("-s,--some", text, ".dotted text")->capture_default_str()->group("Own");
        offer(*some, {"one", "two"}, Besides::files);
        offer(*verb->add_option("--free", text, "Anything")->type_name("ANY"), {});
        verb->add_option("--count", count, "How many")->check(CLI::Range(1, 9))->needs(some);
        verb->add_flag("--yes", yes, "Yes");
        verb->add_flag("--hidden", yes, "Not for people")->group("");
        deeper->add_option("--file", text, "A file")->type_name("FILE");
        deeper->footer("\nA sentence\nof two lines.\n\nExamples:\n  sprig do deeper");
        app.add_subcommand("secret", "Not for people")->group("");
    }
};

TEST(Declarations, AreWhatWasDeclared) {
    Program program;
    const DeclaredVerb all = declarations_of(program.app);
    ASSERT_EQ(all.verbs.size(), 1U) << "without the hidden one";
    const DeclaredVerb& verb = all.verbs[0];
    EXPECT_THAT(verb.path, ElementsAre("do"));
    EXPECT_THAT(verb.footer, IsEmpty()) << "the program's own is told once";
    ASSERT_EQ(verb.places.size(), 2U);
    EXPECT_THAT(verb.places[0].choices, ElementsAre("this", "that"));
    EXPECT_TRUE(verb.places[0].required);
    EXPECT_FALSE(verb.places[0].takes_files);
    EXPECT_TRUE(verb.places[1].many);
    EXPECT_TRUE(verb.places[1].takes_files);
    ASSERT_EQ(verb.options.size(), 5U) << "with --help, without the hidden one";
    const DeclaredOption& some = verb.options[1];
    EXPECT_THAT(some.names, ElementsAre("-s", "--some"));
    EXPECT_THAT(some.offers, ElementsAre("one", "two"));
    EXPECT_THAT(some.choices, IsEmpty());
    EXPECT_TRUE(some.takes_files);
    EXPECT_EQ(some.usual, "usual");
    EXPECT_EQ(some.group, "Own");
    EXPECT_EQ(verb.options[2].value, "ANY");
    EXPECT_FALSE(verb.options[2].takes_files);
    EXPECT_EQ(verb.options[3].value, "NUMBER");
    EXPECT_EQ(verb.options[3].range, "1 to 9");
    EXPECT_THAT(verb.options[3].needs, ElementsAre("--some"));
    EXPECT_TRUE(verb.options[4].is_switch());
    EXPECT_THAT(verb.verbs.at(0).path, ElementsAre("do", "deeper"));
}

TEST(Declarations, WordsThatAreOfferedAreNoCheck) {
    Program program;
    const std::string help = program.app.get_subcommand("do")->help();
    EXPECT_THAT(help, HasSubstr("--some TEXT=usual"));
    EXPECT_THAT(help, Not(HasSubstr("two")));
    program.app.parse("do this --some three");
    EXPECT_EQ(program.app.get_subcommand("do")->get_option("--some")->as<std::string>(), "three");
}

TEST(Declarations, PartsOfAFooter) {
    const std::vector<FooterPart> parts = footer_parts("\nOne\ntwo.\n\nThree:\n  four\n  five");
    ASSERT_EQ(parts.size(), 2U);
    EXPECT_EQ(parts[0].heading, "");
    EXPECT_THAT(parts[0].lines, ElementsAre("One", "two."));
    EXPECT_EQ(parts[1].heading, "Three");
    EXPECT_THAT(parts[1].lines, ElementsAre("  four", "  five"));
    EXPECT_THAT(footer_parts(""), IsEmpty());
}

TEST(ManPage, EscapesWhatItsFormatterWouldTakeForItsOwn) {
    Program program;
    const std::string page = man_page(declarations_of(program.app));
    EXPECT_THAT(page, HasSubstr("Does it\\(aqs \\e work\n"));
    EXPECT_THAT(
        page, HasSubstr("\\fB\\-s\\fR, \\fB\\-\\-some\\fR \\fITEXT\\fR\n\\&.dotted text. Default: usual.\n"));
    EXPECT_THAT(page, HasSubstr("How many. From 1 to 9. Needs \\-\\-some.\n"));
    EXPECT_THAT(page, HasSubstr("Which word. One of this, that.\n"));
    EXPECT_THAT(page, HasSubstr(".SH \"FILES\"\n.TP\n\\fBa\\fR\none\n"));
    EXPECT_THAT(page, HasSubstr(".PP\nA sentence of two lines.\n"));
    EXPECT_THAT(page, Not(HasSubstr("hidden")));
}

TEST(Completion, QuotesWhatShellsWouldTakeForTheirOwn) {
    EXPECT_EQ(quoted("it's"), "'it'\\''s'");
    Program program;
    const DeclaredVerb all = declarations_of(program.app);
    EXPECT_THAT(zsh_completion(all), HasSubstr("'do:Do [a] thing: now'"));
    EXPECT_THAT(zsh_completion(all), HasSubstr("[.dotted text]:TEXT:{_sprig_or_files one two}"));
    EXPECT_THAT(fish_completion(all), HasSubstr("-s s -l some -r -F -a 'one two' -d '.dotted text'"));
    const std::string bash = bash_completion(all);
    EXPECT_THAT(bash, HasSubstr("    /do:-s | /do:--some) reply=('one' 'two') files=yes ;;\n"));
    EXPECT_THAT(bash, HasSubstr("    /do:1) reply=('this' 'that') ;;\n    /do:[1-9]*) files=yes ;;\n"));
    EXPECT_THAT(bash, Not(HasSubstr("/do:--free)")));
}

} // namespace
} // namespace sprig::cli
