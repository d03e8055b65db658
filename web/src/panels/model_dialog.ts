// Starting again, opening and saving.

import type { App } from "../app";
import { fill, h, icon, type IconName } from "../dom";
import type { State } from "../state";
import { strings } from "../strings";

export function sourceName({ source, onServer }: State): string {
    if (onServer) return strings.sources.server;
    if (!source) return "";
    return source.kind === "file" ? strings.sources.file(source.name) : strings.sources[source.kind];
}

function download(data: BlobPart, name: string, type: string): void {
    const url = URL.createObjectURL(new Blob([data], { type }));
    h("a", { href: url, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

function choice(name: IconName, title: string, more: string, key: string, click: () => void): HTMLElement {
    return h("button", { type: "button", class: "choice", "data-key": key, click }, icon(name),
        h("span", {}, h("strong", {}, title), h("span", {}, more)));
}

function startChoices(app: App, close: () => void): HTMLElement {
    const file = h("input", {
        type: "file", class: "visually-hidden", tabindex: -1, "aria-hidden": "true", "data-key": "model-file",
        change: () => {
            if (file.files?.[0]) void app.openFile(file.files[0]);
            file.value = "";
            close();
        },
    });
    return h("div", {}, h("h3", {}, strings.modelStart),
        h("p", { class: "hint" }, strings.startReplaces),
        h("div", { class: "choices" },
            choice("plus", strings.startNothing, strings.startNothingMore, "start-nothing", () => {
                close();
                void app.begin({ kind: "nothing" });
            }),
            choice("again", strings.startDigits, strings.startDigitsMore, "start-digits", () => {
                close();
                void app.begin({ kind: "digits" });
            }),
            choice("open", strings.startFile, strings.startFileMore, "start-file", () => file.click()), file));
}

function saveChoices(app: App, { onServer, lessons }: State): HTMLElement {
    const saveBytes = async () => {
        const bytes = await app.bytes();
        if (bytes) download(bytes as BlobPart, "model.bytes", "application/octet-stream");
    };
    const saveFile = async () => {
        const file = await app.serverFile();
        if (file) download(file, "model.sprig", "application/octet-stream");
    };
    return h("div", {}, h("h3", {}, strings.modelSave), h("div", { class: "choices" },
        choice("download", strings.saveBytes, strings.saveBytesMore, "save-bytes", () => void saveBytes()),
        onServer && choice("download", strings.saveFile, strings.saveFileMore, "save-file", () => void saveFile()),
        lessons.some(({ sample }) => "strokes" in sample) && choice("pencil", strings.saveLessons, strings.saveLessonsMore,
            "save-strokes", () => download(app.strokeLines(), "drawings.jsonl", "application/jsonl"))));
}

export function modelDialog(app: App): HTMLDialogElement {
    const body = h("div");
    const dialog = h("dialog", {
        class: "model-dialog", "aria-labelledby": "model-title",
        click: (event: MouseEvent) => {
            if (event.target === dialog) dialog.close();
        },
    }, h("div", { class: "dialog-body" }, h("div", { class: "head" },
        h("h2", { id: "model-title" }, strings.modelTitle),
        h("button", { type: "button", class: "tool small", "aria-label": strings.close, click: () => dialog.close() }, icon("cross"))),
    body));
    app.store.watch(["summary", "source", "onServer", "lessons"], (state) => {
        const { summary, onServer } = state;
        if (!summary) return;
        fill(body,
            h("p", { class: "facts" }, h("strong", {}, sourceName(state)), h("span", {},
                strings.modelCounts(summary.classes.length, summary.lessons)),
                h("code", {}, strings.modelDigest(summary.digest))),
            saveChoices(app, state),
            !onServer && startChoices(app, () => dialog.close()),
            h("p", { class: "hint" }, onServer ? strings.staysServer : strings.stays),
            !onServer && h("p", { class: "hint" }, strings.digitsSource));
    });
    return dialog;
}
