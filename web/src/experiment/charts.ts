// The charts of the experiment.

import { svg } from "../dom";
import { strings } from "../strings";
import { accuracy, type Progress, type Test } from "./experiment";

type Who = "sprig" | "network";

const [width, height, left, right, top, bottom] = [720, 400, 46, 84, 14, 40];

/** The class that each part of the stream begins with, where the stream has long parts. */
function boundaries({ tests, length }: Progress, x: (learned: number) => number): SVGElement[] {
    const taught = (test: Test) => test.sprig.filter((share) => share !== null).length;
    return tests.flatMap((test, index) => {
        const before = index === 0 ? 0 : taught(tests[index - 1]!);
        if (taught(test) !== before + 1 || length < 200) return [];
        const start = index === 0 ? 0 : tests[index - 1]!.learned;
        const label = test.sprig.reduce<number>((last, share, digit) => (share !== null ? digit : last), 0);
        return [
            svg("line", { class: "boundary", x1: x(start), x2: x(start), y1: top, y2: height - bottom }),
            svg("text", { x: x(start) + 5, y: height - bottom - 7 }, String(label)),
        ];
    });
}

function curve(progress: Progress, who: Who, x: (learned: number) => number, y: (share: number) => number): SVGElement[] {
    const points = progress.tests.map((test) => [x(test.learned), y(accuracy(test[who]))] as const);
    const last = points.at(-1);
    if (!last) return [];
    return [svg("polyline", { class: `curve ${who}`, points: points.map((point) => point.join(",")).join(" ") }),
        svg("circle", { class: `curve ${who}`, cx: last[0], cy: last[1], r: 3 })];
}

/** The names at the ends of the curves, kept apart. */
function curveLabels(progress: Progress, x: (learned: number) => number, y: (share: number) => number): SVGElement[] {
    const last = progress.tests.at(-1);
    if (!last) return [];
    let [a, b] = [y(accuracy(last.sprig)), y(accuracy(last.network))];
    if (Math.abs(a - b) < 18) [a, b] = a <= b ? [a - 9, a + 9] : [b + 9, b - 9];
    const at = x(last.learned) + 9;
    return [svg("text", { class: "curve-label sprig", x: at, y: a + 5 }, strings.learnerSprig),
        svg("text", { class: "curve-label network", x: at, y: b + 5 }, strings.learnerNetwork)];
}

export function accuracyChart(progress: Progress): SVGElement {
    const x = (learned: number) => left + (learned / progress.length) * (width - left - right);
    const y = (share: number) => top + (1 - share) * (height - top - bottom);
    const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => [
        svg("line", { class: "axis", x1: left, x2: width - right, y1: y(share), y2: y(share) }),
        svg("text", { x: left - 8, y: y(share) + 5, "text-anchor": "end" }, `${100 * share}`),
    ]);
    const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => svg("text", {
        x: x(part * progress.length), y: height - bottom + 18, "text-anchor": "middle",
    }, String(Math.round(part * progress.length))));
    const last = progress.tests.at(-1);
    const spoken = last ? strings.chartSpoken(strings.percent(accuracy(last.sprig)), strings.percent(accuracy(last.network)), progress.learned)
        : strings.accuracyTitle;
    return svg("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": spoken },
        ...grid, ...ticks, ...boundaries(progress, x),
        svg("text", { x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle" }, strings.lessonsAxis),
        ...curve(progress, "network", x, y), ...curve(progress, "sprig", x, y), ...curveLabels(progress, x, y));
}

/** A row for each class, a column for each test. */
export function classChart(progress: Progress, who: Who, columns: number): SVGElement {
    const [cellHeight, gap, labels, all] = [15, 2, 22, 420];
    const cellWidth = (all - labels) / columns;
    const cells: SVGElement[] = [];
    for (let digit = 0; digit < 10; digit += 1) {
        const y = digit * (cellHeight + gap);
        cells.push(svg("text", { x: labels - 8, y: y + 12.5, "text-anchor": "end" }, String(digit)),
            svg("rect", { class: "cell-ground", x: labels, y, width: all - labels, height: cellHeight }));
        progress.tests.forEach((test, column) => {
            const share = test[who][digit];
            if (share === null || share === undefined) return;
            cells.push(svg("rect", {
                class: `cell ${who}`, x: labels + column * cellWidth, y, width: cellWidth + 0.3, height: cellHeight,
                "fill-opacity": share.toFixed(3),
            }));
        });
    }
    const name = who === "sprig" ? strings.learnerSprig : strings.learnerNetwork;
    return svg("svg", { class: "chart", viewBox: `0 0 ${all} ${10 * (cellHeight + gap)}`, role: "img", "aria-label": strings.perClassOf(name) }, ...cells);
}

export function unitsChart(progress: Progress): SVGElement {
    const [chartWidth, chartHeight, edge] = [720, 110, left];
    const most = Math.max(10, ...progress.tests.map((test) => test.units));
    const x = (learned: number) => edge + (learned / progress.length) * (chartWidth - edge - right);
    const y = (units: number) => 12 + (1 - units / most) * (chartHeight - 24);
    const points = [{ learned: 0, units: 0 }, ...progress.tests];
    const last = points.at(-1)!;
    return svg("svg", { class: "chart", viewBox: `0 0 ${chartWidth} ${chartHeight}`, role: "img", "aria-label": `${strings.unitsTitle}: ${last.units}` },
        svg("line", { class: "axis", x1: edge, x2: chartWidth - right, y1: y(0), y2: y(0) }),
        svg("polyline", { class: "curve sprig", points: points.map((test) => `${x(test.learned)},${y(test.units)}`).join(" ") }),
        svg("text", { class: "curve-label sprig", x: x(last.learned) + 7, y: y(last.units) + 5 }, String(last.units)));
}
