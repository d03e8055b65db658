// Teaching: one click or key for a known class, a name for a new one.

import type { App } from "../app";
import { isEmpty } from "../board/drawing";
import { fill, h } from "../dom";
import type { ClassSummary, Label } from "../engine/types";
import { strings } from "../strings";
import { fitOf } from "./answer_panel";

/** The key of each class: its own letter if it has one, otherwise the next free digit. */
export function classKeys(classes: ClassSummary[]): Map<Label, string> {
    const keys = new Map<Label, string>();
    const own = (label: Label) => (/^[\p{L}\p{N}]$/u.test(label) ? label : null);
    const taken = new Set(classes.map(({ label }) => own(label)));
    const free = "123456789".split("").filter((digit) => !taken.has(digit));
    for (const { label } of classes) {
        const key = own(label) ?? free.shift();
        if (key !== undefined) keys.set(label, key);
    }
    return keys;
}

export function teachPanel(app: App): { element: HTMLElement; nameField: HTMLInputElement } {
    const chips = h("div", { class: "chips" });
    const hint = h("p", { class: "hint" }, strings.teachHint);
    const nameField = h("input", {
        type: "text", name: "label", maxlength: 60, autocomplete: "off", placeholder: strings.teachPlaceholder,
        "aria-label": strings.teachNameLabel, enterkeyhint: "done",
    });
    const form = h("form", {
        class: "new-class",
        submit: (event: Event) => {
            event.preventDefault();
            const label = nameField.value.trim();
            if (label === "") nameField.focus();
            void app.teach(label).then(() => {
                if (app.store.get().taught !== label) return;
                nameField.value = "";
                nameField.blur();
            });
        },
    }, nameField, h("button", { type: "submit", class: "primary" }, strings.teach));

    app.store.watch(["summary", "answer", "drawing"], ({ summary, answer, drawing }) => {
        const keys = classKeys(summary?.classes ?? []);
        fill(chips, ...(summary?.classes ?? []).map(({ label }) => h("button", {
            type: "button", class: label === answer?.label ? "chip likely" : "chip",
            "aria-label": strings.teachClass(label, keys.get(label) ?? null), title: strings.teachClass(label, keys.get(label) ?? null),
            "data-key": `teach-${label}`, click: () => void app.teach(label),
        }, label, keys.get(label) !== label && keys.has(label) && h("kbd", {}, keys.get(label)!))));
        form.classList.toggle("wanted", !isEmpty(drawing) && (answer === null || answer.label === null || fitOf(answer) === "unknown"));
    });
    const element = h("section", { class: "card teach-panel", "aria-label": strings.teachTitle },
        h("h2", {}, strings.teachTitle), hint, chips, form);
    return { element, nameField };
}
