// What the model found, drawn over the drawing: the network, where the winner's unit was found, what it misses, and the
// stroke that would change the answer.

import { svg } from "../dom";
import type { Affine, Explanation, ExplainedUnit, Point, Sample } from "../engine/types";
import { apply, compose, fitInto } from "./affine";
import { boardSide, sampleToBoard } from "./drawing";

export interface Layers {
    network: boolean;
    decisive: boolean;
    matched: boolean;
    missing: boolean;
    change: boolean;
}
export const layerNames = ["network", "decisive", "matched", "missing", "change"] as const;

/** A node that is expected less strongly than this is not worth an outline: its absence costs nothing. */
const leastLoss = -0.5;

/** The network's coordinates to the board's. The board shows the image itself if no map leads to the sample. */
export function networkToBoard({ view }: Explanation, sample: Sample): Affine {
    if (view.to_drawing) return compose(sampleToBoard(sample), compose(view.to_drawing, view.to_image));
    return compose(fitInto(view.image.width, view.image.height, boardSide), view.to_image);
}

/** The image that the model reads, over the whole board. */
function drawImage({ view: { image } }: Explanation): SVGElement {
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    const ink = Uint8Array.from(atob(image.pixels), (character) => character.charCodeAt(0));
    const context = canvas.getContext("2d")!;
    const pixels = context.createImageData(image.width, image.height);
    ink.forEach((level, i) => pixels.data.set([255 - level, 255 - level, 255 - level, 255], 4 * i));
    context.putImageData(pixels, 0, 0);
    const place = fitInto(image.width, image.height, boardSide);
    return svg("image", {
        class: "read", href: canvas.toDataURL(), x: place[4], y: place[5],
        width: image.width * place[0], height: image.height * place[3],
    });
}

/** The unit of a class that speaks most for it. */
export function strongestUnit(explanation: Explanation, label: string | null): ExplainedUnit | null {
    const units = (label !== null && explanation.units[label]) || [];
    const strength = (unit: ExplainedUnit) => unit.share ?? unit.value;
    return units.filter((unit) => unit.polarity === "positive")
        .reduce<ExplainedUnit | null>((best, unit) => (best && strength(best) >= strength(unit) ? best : unit), null);
}

/** Where a node of the unit is expected in this observation. A unit may have been found turned or mirrored: the best
 *  similarity of what was found tells how, with points as complex numbers, z to a z + b. */
export function expectedHere(unit: ExplainedUnit, found: (index: number) => Point | undefined): (at: Point) => Point {
    const { turned = 0, mirrored } = unit;
    if (turned === 0 && !mirrored) return (at) => at;
    const flip = Boolean(mirrored?.left_right) !== Boolean(mirrored?.top_bottom) ? -1 : 1;
    const pairs = unit.nodes.flatMap(({ expected_at: [x, y], placed }) => {
        const to = placed === null ? undefined : found(placed);
        return to ? [{ from: [flip * x, y] as Point, to }] : [];
    });
    if (pairs.length < 2) return (at) => at;
    const mean = (points: Point[]): Point => [0, 1].map((axis) =>
        points.reduce((sum, point) => sum + point[axis]!, 0) / points.length) as Point;
    const [from, to] = [mean(pairs.map((pair) => pair.from)), mean(pairs.map((pair) => pair.to))];
    let [real, imaginary, size] = [0, 0, 0];
    for (const pair of pairs) {
        const [px, py, qx, qy] = [pair.from[0] - from[0], pair.from[1] - from[1], pair.to[0] - to[0], pair.to[1] - to[1]];
        real += px * qx + py * qy;
        imaginary += px * qy - py * qx;
        size += px * px + py * py;
    }
    const [a, b] = [real / Math.max(size, 1e-9), imaginary / Math.max(size, 1e-9)];
    return ([x, y]) => {
        const [px, py] = [flip * x - from[0], y - from[1]];
        return [to[0] + a * px - b * py, to[1] + b * px + a * py];
    };
}

const rounded = ([x, y]: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

function drawNetwork(explanation: Explanation, place: (point: Point) => Point): SVGElement {
    const nodes = explanation.network.nodes;
    let path = "";
    nodes.forEach((node) => {
        const next = node.next === undefined ? undefined : nodes[node.next];
        if (next) path += `M${rounded(place(node.at))}L${rounded(place(next.at))}`;
    });
    for (const edge of explanation.network.edges) {
        const [from, to] = [nodes[edge.from], nodes[edge.to]];
        if (from && to) path += `M${rounded(place(from.at))}L${rounded(place(to.at))}`;
    }
    return svg("g", { class: "network" }, svg("path", { d: path }), ...nodes.map((node) => {
        const [cx, cy] = place(node.at);
        return svg("circle", { cx, cy, r: 7 });
    }));
}

/** The nodes that halve the lead if they are taken away. */
function drawDecisive(explanation: Explanation, place: (point: Point) => Point): SVGElement {
    return svg("g", { class: "decisive" }, ...explanation.decisive.flatMap((index) => {
        const node = explanation.network.nodes[index];
        if (!node) return [];
        const [cx, cy] = place(node.at);
        return [svg("circle", { cx, cy, r: 13 })];
    }));
}

type Place = (point: Point) => Point;

function drawMatched(explanation: Explanation, unit: ExplainedUnit, place: Place, expected: Place): SVGElement {
    const group = svg("g", { class: "matched" });
    for (const node of unit.nodes) {
        const found = node.placed === null ? undefined : explanation.network.nodes[node.placed];
        if (!found) continue;
        const [cx, cy] = place(found.at);
        group.append(svg("path", { d: `M${rounded(place(expected(node.expected_at)))}L${rounded([cx, cy])}` }));
        group.append(svg("circle", { cx, cy, r: 13 }));
    }
    return group;
}

function drawMissing(unit: ExplainedUnit, place: Place, expected: Place): SVGElement {
    const group = svg("g", { class: "missing" });
    for (const node of unit.nodes) {
        if (node.placed !== null || (node.value ?? 0) > leastLoss) continue;
        const [cx, cy] = place(expected(node.expected_at));
        group.append(svg("circle", { cx, cy, r: 17 }));
    }
    return group;
}

function drawChange(explanation: Explanation, place: (point: Point) => Point): SVGElement {
    return svg("g", { class: "change" }, ...(explanation.change?.added ?? []).map(({ ghost }) =>
        ghost && svg("polyline", { points: ghost.map((point) => rounded(place(point))).join(" ") })));
}

/** Returns whether the image that the model reads takes the place of the drawing. */
export function drawOverlay(into: SVGGElement, explanation: Explanation | null, sample: Sample, layers: Layers): boolean {
    into.replaceChildren();
    if (!explanation) return false;
    const matrix = networkToBoard(explanation, sample);
    const normalised = explanation.view.to_drawing === null;
    if (normalised) into.append(drawImage(explanation));
    const place = (point: Point) => apply(matrix, point);
    const unit = strongestUnit(explanation, explanation.answer);
    if (layers.network) into.append(drawNetwork(explanation, place));
    const expected: Place = unit ? expectedHere(unit, (index) => explanation.network.nodes[index]?.at) : (at) => at;
    if (unit && layers.matched) into.append(drawMatched(explanation, unit, place, expected));
    if (layers.decisive) into.append(drawDecisive(explanation, place));
    if (unit && layers.missing) into.append(drawMissing(unit, place, expected));
    if (layers.change) into.append(drawChange(explanation, place));
    return normalised;
}
