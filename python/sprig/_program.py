"""The program `sprig`, as installed by pip."""

import signal
import sys


def main() -> int:
    # As for any other program: an interrupt is the program's own business, and a closed pipe ends it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    from . import _core

    return _core.run_program(["sprig", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
