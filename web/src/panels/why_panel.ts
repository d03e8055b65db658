// The reasons in words.

import type { App } from "../app";
import { fill, h } from "../dom";
import type { Explanation } from "../engine/types";
import { strings } from "../strings";

function changeText({ change }: Explanation): string | null {
    if (!change) return null;
    return change.found ? strings.changeFound(change.to) : strings.changeNone(change.to, change.at_least);
}

function decidesText({ answer, compared_with: other, classes, decisive, scores_without_decisive: scores }: Explanation): string | null {
    if (answer === null || other === null || !scores || decisive.length === 0) return null;
    const lead = classes[answer]!.score - classes[other]!.score;
    return strings.decides(answer, other, lead, scores[answer]! - scores[other]!);
}

export function whyPanel(app: App): HTMLElement {
    const body = h("div", { class: "why-body" });
    app.store.watch(["explained", "answer"], ({ explained, answer }) => {
        if (!explained) return fill(body, h("p", { class: "empty" }, answer && answer.label !== null ? "…" : strings.whyEmpty));
        const { explanation } = explained;
        const change = changeText(explanation);
        const decides = decidesText(explanation);
        fill(body,
            decides && h("p", {}, decides),
            change && h("p", { class: explanation.change?.found ? "change-text found" : "change-text" }, change),
            explanation.compared_with === null && h("p", {}, strings.onlyOneClass),
            h("details", {}, h("summary", {}, strings.inNumbers),
                ...explanation.text.map((sentence) => h("p", {}, sentence))));
    });
    return h("section", { class: "card why-panel", "aria-label": strings.whyTitle }, h("h2", {}, strings.whyTitle), body);
}
