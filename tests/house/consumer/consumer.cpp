// What a user of the installed library writes first: a shape, its network, its picture.
#include <cstdio>

#include <sprig/draw.h>
#include <sprig/front_end.h>
#include <sprig/version.h>

int main() {
    sprig::Image square(12, 12);
    for (int y = 3; y < 9; ++y) {
        for (int x = 3; x < 9; ++x) square.at(x, y) = 255;
    }
    sprig::FrontEnd front_end;
    const sprig::Network network = front_end(square.view());
    const std::string svg = sprig::draw_network(network, "a square");
    std::printf("sprig %s: a square has %zu nodes and %zu edges\n", SPRIG_VERSION, network.node_count(),
                network.edge_count());
    return network.node_count() == 4 && !svg.empty() ? 0 : 1;
}
