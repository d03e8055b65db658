// The title, the views, the model's name, and the small buttons.

import type { App } from "../app";
import { fill, h, icon, svg } from "../dom";
import type { View } from "../state";
import { strings } from "../strings";
import { modelDialog, sourceName } from "./model_dialog";

type Theme = "auto" | "light" | "dark";
const themes: Theme[] = ["auto", "light", "dark"];

function storedTheme(): Theme {
    try {
        const theme = localStorage.getItem("theme") as Theme;
        return themes.includes(theme) ? theme : "auto";
    } catch {
        return "auto"; // storage is not allowed
    }
}

function themeButton(): HTMLElement {
    let theme = storedTheme();
    const button = h("button", {
        type: "button", class: "tool small",
        click: () => {
            theme = themes[(themes.indexOf(theme) + 1) % themes.length]!;
            try {
                localStorage.setItem("theme", theme);
            } catch {
                // It then holds until the page is closed.
            }
            show();
        },
    }, icon("theme"));
    const show = () => {
        document.documentElement.dataset["theme"] = theme;
        button.title = strings.theme[theme];
        button.setAttribute("aria-label", strings.theme[theme]);
    };
    show();
    return button;
}

function keysDialog(): HTMLDialogElement {
    const dialog = h("dialog", {
        "aria-labelledby": "keys-title",
        click: (event: MouseEvent) => {
            if (event.target === dialog) dialog.close();
        },
    }, h("div", { class: "dialog-body" }, h("div", { class: "head" }, h("h2", { id: "keys-title" }, strings.keysTitle),
        h("button", { type: "button", class: "tool small", "aria-label": strings.close, click: () => dialog.close() }, icon("cross"))),
    h("dl", { class: "keys" }, ...strings.keys.flatMap(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)]))));
    return dialog;
}

const logo = () => svg("svg", { class: "logo", viewBox: "0 0 32 32", "aria-hidden": "true" },
    svg("path", { d: "M16 29V13" }),
    svg("path", { class: "leaf", d: "M16 15C8 15 5 10 4 4c7 0 12 3 12 11Z" }),
    svg("path", { class: "leaf", d: "M16 21c0-7 5-10 12-10-1 6-5 10-12 10Z" }));

export function header(app: App): HTMLElement {
    const views = h("nav", { "aria-label": strings.viewsLabel });
    const dialog = modelDialog(app);
    const keys = keysDialog();
    const modelName = h("span", { class: "model-name" });
    app.store.watch(["view"], (state) => fill(views, ...(Object.keys(strings.views) as View[]).map((view) => h("button", {
        type: "button", "aria-current": view === state.view ? "page" : null, "data-key": `view-${view}`,
        click: () => app.show(view),
    }, strings.views[view]))));
    app.store.watch(["summary", "source", "onServer"], (state) => fill(modelName, h("strong", {}, sourceName(state)),
        state.summary && h("span", {}, strings.modelCounts(state.summary.classes.length, state.summary.lessons))));
    return h("header", {},
        h("h1", {}, logo(), strings.title), views,
        h("div", { class: "header-end" },
            h("button", {
                type: "button", class: "model-button", "aria-haspopup": "dialog", "data-key": "model",
                click: () => dialog.showModal(),
            }, h("span", { class: "visually-hidden" }, `${strings.modelButton}: `), modelName, h("span", { "aria-hidden": "true", class: "caret" })),
            h("button", { type: "button", class: "tool small keys-button", "aria-label": strings.keysButton, title: strings.keysButton, click: () => keys.showModal() }, icon("keyboard")),
            themeButton()),
        dialog, keys);
}
