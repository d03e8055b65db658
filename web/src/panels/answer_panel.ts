// The answer: the class, how probable, how well it fits, and the other classes as bars.

import type { App } from "../app";
import { fill, h, svg } from "../dom";
import type { Answer, RankedClass } from "../engine/types";
import type { State } from "../state";
import { strings } from "../strings";

/** The number of classes shown at first. On a narrow screen it is smaller, so that the panel for teaching stays visible. */
const shownAtFirst = () => (matchMedia("(max-width: 720px)").matches ? 3 : 5);

export type Fit = "good" | "unsure" | "unknown";

/** `known` is how likely it is that the drawing shows one of the classes at all, at even odds beforehand. */
export function fitOf(answer: Answer): Fit | null {
    if (answer.known === null) return null;
    if (answer.known < 0.1) return "unknown";
    return answer.known < 0.5 ? "unsure" : "good";
}

function emptyText(state: State): string {
    if (state.drawing.strokes.length > 0 || state.drawing.picture)
        return state.summary?.classes.length === 0 ? strings.answerNoClass : strings.loading;
    return state.summary?.classes.length === 0 ? strings.answerNothingKnown : strings.answerEmpty;
}

function bar(ranked: RankedClass): SVGSVGElement {
    return svg("svg", { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
        svg("rect", { class: "track", width: 100, height: 8 }),
        svg("rect", { class: "value", width: Math.max(0.4, 100 * ranked.probability), height: 8 }));
}

function row(app: App, ranked: RankedClass, state: State, compared: string | null): HTMLElement {
    const winner = ranked.label === state.answer?.label;
    const content = [h("span", { class: "name" }, ranked.label), bar(ranked),
        h("span", { class: "share" }, strings.probability(ranked.probability))];
    if (winner) return h("div", { class: "row winner" }, ...content);
    const pressed = ranked.label === compared;
    return h("button", {
        type: "button", class: "row", title: strings.othersTitle(ranked.label), "aria-pressed": String(pressed),
        "data-key": `rank-${ranked.label}`, click: () => app.compareWith(ranked.label),
    }, ...content);
}

export function answerPanel(app: App): HTMLElement {
    let all = false;
    const main = h("div", { class: "answer-main" });
    const ranking = h("div", { class: "ranking" });
    const spoken = h("p", { class: "visually-hidden", role: "status", "aria-live": "polite" });

    const show = (state: State) => {
        const { answer } = state;
        const fit = answer && fitOf(answer);
        if (!answer || answer.label === null) {
            fill(main, h("p", { class: "empty" }, emptyText(state)));
            fill(ranking);
            spoken.textContent = "";
            return;
        }
        fill(main,
            h("p", { class: `verdict ${fit ?? ""}` },
                h("span", { class: "label" }, answer.label),
                h("span", { class: "probability" }, strings.probability(answer.probability))),
            fit && h("p", { class: `fit ${fit}` }, h("span", { class: "dot", "aria-hidden": "true" }),
                strings.fits[fit]),
            state.taught !== null ? h("p", { class: "next" }, strings.justTaught(state.taught))
                : fit === "unknown" && h("p", { class: "next" }, strings.fitsNext));
        const compared = state.versus ?? state.explained?.explanation.compared_with ?? null;
        const shown = all ? answer.ranking : answer.ranking.slice(0, shownAtFirst());
        const hidden = answer.ranking.length - shownAtFirst();
        fill(ranking, ...shown.map((ranked) => row(app, ranked, state, compared)),
            hidden > 0 && h("button", {
                type: "button", class: "link", "data-key": "more",
                click: () => {
                    all = !all;
                    show(app.store.get());
                },
            }, all ? strings.fewerClasses : strings.moreClasses(hidden)));
        spoken.textContent = strings.answerSpoken(answer.label, answer.probability, fit ? strings.fits[fit] : "");
    };
    app.store.watch(["answer", "drawing", "summary", "versus", "explained", "taught"], show);
    return h("section", { class: "card answer-panel", "aria-label": strings.answerTitle },
        h("h2", {}, strings.answerTitle), main, ranking, spoken);
}
