#include "cli/sprig_program.h"

int main(int argc, char** argv) {
    return sprig::cli::run_and_report(sprig::cli::sprig_program(), argc, argv);
}
