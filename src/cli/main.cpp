#include "cli/program.h"
#include "cli/terminal.h"

int main(int argc, char** argv) {
    const sprig::cli::Outcome outcome = sprig::cli::run(argc, argv);
    if (!outcome.message.empty()) sprig::cli::say(outcome.message);
    return outcome.code;
}
