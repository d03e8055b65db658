// The reference of scripts/count-start-up: it does nothing, and is linked with the standard library.
#include <iostream>

int main() {
    return std::cout.good() ? 0 : 1;
}
