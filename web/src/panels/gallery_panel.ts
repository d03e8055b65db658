// What each class looks like to the model: its units, drawn from the model alone.

import type { App } from "../app";
import { fill, h, icon } from "../dom";
import type { ClassSummary, Label, Unit } from "../engine/types";
import { strings } from "../strings";

/** An image and not markup: a model file may come from anywhere, and what an image contains cannot run. */
function drawing(unit: Unit, number: number): HTMLElement {
    const url = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(unit.svg)}`;
    return h("figure", {},
        h("img", { src: url, alt: strings.unitDrawing(unit.label, number) }),
        h("figcaption", {}, strings.unitCaption(unit.samples, unit.nodes)));
}

function renameForm(app: App, label: Label, done: () => void): HTMLElement {
    const field = h("input", { type: "text", value: label, maxlength: 60, "aria-label": strings.renameTo(label) });
    const form = h("form", {
        class: "rename",
        submit: (event: Event) => {
            event.preventDefault();
            const name = field.value.trim();
            done();
            if (name !== "" && name !== label) void app.rename(label, name);
        },
    }, field, h("button", { type: "submit", class: "primary" }, strings.save),
        h("button", { type: "button", click: done }, strings.cancel));
    setTimeout(() => field.select());
    return form;
}

function card(app: App, one: ClassSummary, units: Unit[]): HTMLElement {
    const heading = h("div", { class: "head" });
    const rest = () => fill(heading,
        h("h3", {}, one.label),
        h("span", { class: "counts" }, strings.galleryCounts(one.samples, one.units)),
        h("button", {
            type: "button", class: "tool small", title: strings.rename, "aria-label": strings.renameTo(one.label),
            click: () => fill(heading, renameForm(app, one.label, rest)),
        }, icon("pencil")),
        h("button", {
            type: "button", class: "tool small", title: strings.forget, "aria-label": `${strings.forget} ${one.label}`,
            click: () => {
                if (confirm(strings.forgetConfirm(one.label))) void app.forget(one.label);
            },
        }, icon("bin")));
    rest();
    return h("article", { class: "card class-card", "aria-label": one.label }, heading,
        h("div", { class: "units" }, ...units.map((unit, index) => drawing(unit, index + 1))));
}

export function galleryPanel(app: App): HTMLElement {
    const cards = h("div", { class: "gallery" });
    let shown = "";
    app.store.watch(["view", "summary"], ({ view, summary }) => {
        if (view !== "gallery" || !summary || summary.digest + summary.lessons === shown) return;
        shown = summary.digest + summary.lessons;
        void app.units().then((units) => fill(cards,
            ...(summary.classes.length === 0 ? [h("p", { class: "empty" }, strings.galleryEmpty)] : []),
            ...summary.classes.map((one) =>
                card(app, one, units.filter((unit) => unit.label === one.label).sort((a, b) => b.samples - a.samples)))));
    });
    return h("section", { class: "gallery-panel", "aria-labelledby": "gallery-title" },
        h("div", { class: "page-head" }, h("h2", { id: "gallery-title" }, strings.galleryTitle),
            h("p", {}, strings.galleryIntro)), cards);
}
