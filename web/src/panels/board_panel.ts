// The board with its tools and the legend of what is drawn over it.

import type { App } from "../app";
import { Board } from "../board/board";
import { isEmpty, sampleOf } from "../board/drawing";
import { drawOverlay, layerNames } from "../board/overlay";
import { pictureIn } from "../board/picture";
import { fill, h, icon, type IconName } from "../dom";
import type { State } from "../state";
import { strings } from "../strings";

function tool(name: IconName, label: string, click: () => void, title = label): HTMLButtonElement {
    return h("button", { type: "button", class: "tool", title, "aria-label": label, click }, icon(name),
        h("span", {}, label));
}

/** What an empty board says. */
function invitation({ source, summary, onServer }: State): [string, string] {
    const labels = summary?.classes.map((one) => one.label) ?? [];
    if (labels.length === 0) return [strings.boardEmptyNothing, strings.boardEmptyNothingMore];
    if (source?.kind === "digits" && !onServer) return [strings.boardEmptyDigits, strings.boardEmptyDigitsMore];
    const some = labels.slice(0, 6).join(", ") + (labels.length > 6 ? " …" : "");
    return [strings.boardEmptyKnown, strings.boardEmptyKnownMore(some)];
}

function acceptPictures(app: App, area: HTMLElement): void {
    const take = (file: File | null) => (file ? void app.takePicture(file) : app.notify("error", strings.notAPicture));
    document.addEventListener("dragover", (event) => {
        event.preventDefault();
        area.classList.add("dropping");
    });
    for (const name of ["dragleave", "drop"] as const)
        document.addEventListener(name, () => area.classList.remove("dropping"));
    document.addEventListener("drop", (event) => {
        event.preventDefault();
        take(pictureIn(event.dataTransfer));
    });
    document.addEventListener("paste", (event) => {
        const file = pictureIn(event.clipboardData);
        if (file) take(file);
        else if (!(event.target instanceof HTMLInputElement)) take(null);
    });
}

export function boardPanel(app: App): { element: HTMLElement; legend: HTMLElement } {
    const board = new Board({ penDown: () => app.penDown(), changed: (drawing) => app.drawn(drawing) });
    const hint = h("p", { class: "invitation", "aria-hidden": "true" });
    board.element.append(hint, h("p", { class: "drop-hint", "aria-hidden": "true" }, strings.dropHere));

    const undo = tool("undo", strings.undoStroke, () => app.undoStroke());
    const clear = tool("clear", strings.clear, () => app.clear());
    const width = h("input", {
        type: "range", min: 16, max: 90, step: 2, value: app.store.get().width, title: strings.widthTitle,
        input: () => app.store.set({ width: Number(width.value) }),
    });
    const file = h("input", {
        type: "file", accept: "image/*", class: "visually-hidden", tabindex: -1, "aria-hidden": "true",
        change: () => {
            if (file.files?.[0]) void app.takePicture(file.files[0]);
            file.value = "";
        },
    });
    const choose = tool("picture", strings.choosePicture, () => file.click(), strings.choosePictureTitle);
    const tools = h("div", { class: "tools", role: "toolbar", "aria-label": strings.toolsLabel }, undo, clear,
        h("label", { class: "pen", title: strings.widthTitle }, h("span", {}, strings.width), width), choose, file);
    const legend = h("div", { class: "legend", role: "group", "aria-label": strings.layersLabel });
    const note = h("p", { class: "note" });

    app.store.watch(["drawing"], ({ drawing }) => {
        board.show(drawing);
        undo.disabled = clear.disabled = isEmpty(drawing);
    });
    app.store.watch(["width"], (state) => board.setWidth(state.width));
    app.store.watch(["taught"], (state) => (state.taught === null ? board.keepGoing() : board.startAfresh()));
    app.store.watch(["summary", "source"], (state) => {
        const [first, second] = invitation(state);
        fill(hint, h("strong", {}, first), h("span", {}, second));
    });
    app.store.watch(["layers"], ({ layers }) => fill(legend, ...layerNames.map((name) => h("button", {
        type: "button", class: `layer ${name}`, "aria-pressed": layers[name] ? "true" : "false",
        title: strings.layersTitle[name], "data-key": `layer-${name}`,
        click: () => app.store.set({ layers: { ...layers, [name]: !layers[name] } }),
    }, h("span", { class: "swatch", "aria-hidden": "true" }), strings.layers[name]))));
    app.store.watch(["explained", "layers", "drawing"], ({ explained, layers, drawing }) => {
        const current = explained && !isEmpty(drawing) ? explained : null;
        const normalised = drawOverlay(board.overlay, current?.explanation ?? null,
            current?.sample ?? sampleOf(drawing), layers);
        board.element.classList.toggle("explained", current !== null);
        note.textContent = normalised ? strings.normalised : "";
    });
    acceptPictures(app, board.element);
    const element = h("section", { class: "board-panel", "aria-label": strings.boardLabel }, board.element, tools, note);
    return { element, legend };
}
