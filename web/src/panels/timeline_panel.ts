// The lessons of this sitting, each with its effect and its example's present answer; and what was not forgotten.

import type { App } from "../app";
import { boardSide, pointsOf } from "../board/drawing";
import { fill, h, icon, svg } from "../dom";
import type { Lesson } from "../sitting/sitting";
import type { State } from "../state";
import { strings } from "../strings";

/** A small picture of an example. */
function thumbnail({ sample, label, thumbnail: url }: Lesson): Element {
    if (url) return h("img", { class: "thumbnail", src: url, alt: strings.drawingOf(label) });
    if (!("strokes" in sample)) return h("span", { class: "thumbnail" });
    const points = sample.strokes.flat();
    const [xs, ys] = [points.map((point) => point[0]!), points.map((point) => point[1]!)];
    const [left, top] = [Math.min(...xs), Math.min(...ys)];
    const side = Math.max(Math.max(...xs) - left, Math.max(...ys) - top, boardSide / 8);
    const middle = [(left + Math.max(...xs)) / 2, (top + Math.max(...ys)) / 2];
    const half = side * 0.6;
    return svg("svg", {
        class: "thumbnail", role: "img", "aria-label": strings.drawingOf(label),
        viewBox: `${middle[0]! - half} ${middle[1]! - half} ${2 * half} ${2 * half}`,
    }, ...sample.strokes.map((stroke) => svg("polyline", { points: pointsOf(stroke), "stroke-width": side * 0.08 })));
}

function entry(app: App, state: State, index: number): HTMLElement {
    const lesson = state.lessons[index]!;
    const answer = state.answers[index];
    const right = answer?.label === lesson.label;
    const canUndo = index >= state.lessons.length - state.undoable;
    return h("li", { class: right ? "lesson right" : "lesson wrong" },
        h("span", { class: "number" }, strings.lessonNumber(index + 1)),
        thumbnail(lesson),
        h("div", { class: "what" },
            h("span", { class: "label" }, lesson.label, lesson.newClass && h("span", { class: "tag" }, strings.firstOfClass)),
            h("span", { class: `effect ${lesson.effect}` }, strings.effects[lesson.effect])),
        h("span", { class: "state" }, icon(right ? "check" : "cross"),
            h("span", {}, right ? strings.stillKnown : strings.nowTaken(answer?.label ?? "?"))),
        canUndo ? h("button", {
            type: "button", class: "tool small", title: strings.undoToTitle(index + 1, lesson.label),
            "aria-label": strings.undoToTitle(index + 1, lesson.label), "data-key": `undo-${index}`,
            click: () => void app.undoTo(index),
        }, icon("undo")) : h("span", { class: "settled", title: strings.cannotUndo }));
}

function memory({ lessons, answers, comparison, summary }: State): HTMLElement | false {
    if (lessons.length === 0) return false;
    const right = lessons.filter((lesson, index) => answers[index]?.label === lesson.label).length;
    const all = lessons.length;
    const line = comparison && (comparison.scores === 0 ? strings.memoryFirst
        : comparison.changed === 0 ? strings.memorySame(comparison.scores)
            : strings.memoryChanged(comparison.changed, comparison.scores));
    return h("div", { class: right === all ? "memory right" : "memory" },
        h("h3", {}, icon(right === all ? "check" : "cross"), strings.memoryTitle),
        h("p", {}, all === 1 && right === 1 ? strings.memoryOne : strings.memoryAsked(right, all)),
        line && (summary?.classes.length ?? 0) > 0 && h("p", { class: "compared" }, line));
}

export function timelinePanel(app: App): HTMLElement {
    const list = h("ol", { class: "lessons", reversed: true });
    const proof = h("div", { role: "status", "aria-live": "polite" });
    const empty = h("p", { class: "empty" }, strings.timelineEmpty);
    const undo = h("button", { type: "button", class: "tool", click: () => void app.undoLast() }, icon("undo"),
        h("span", {}, strings.undoLast));
    app.store.watch(["lessons", "answers", "undoable", "comparison"], (state) => {
        fill(proof, memory(state));
        const newestFirst = state.lessons.map((_, index) => index).reverse();
        if (newestFirst.length === 0) fill(list);
        else fill(list, ...newestFirst.map((index) => entry(app, state, index)));
        undo.hidden = state.undoable === 0;
        list.hidden = newestFirst.length === 0;
        empty.hidden = newestFirst.length > 0;
    });
    return h("section", { class: "card timeline-panel", "aria-label": strings.timelineTitle },
        h("div", { class: "head" }, h("h2", {}, strings.timelineTitle), undo), proof, empty, list);
}
