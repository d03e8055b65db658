#include "lab/cli/verbs.h"

int main(int argc, char** argv) {
    return sprig::cli::run_and_report(sprig::lab::lab_program(), argc, argv);
}
