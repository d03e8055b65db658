import { App } from "./app";
import { fill, h, icon } from "./dom";
import { openEngine, prepareEngine } from "./engine/browser_model";
import type { Sample } from "./engine/types";
import { findServer } from "./engine/server_model";
import { experimentPanel } from "./experiment/panel";
import { listenToKeys } from "./keys";
import { answerPanel } from "./panels/answer_panel";
import { boardPanel } from "./panels/board_panel";
import { galleryPanel } from "./panels/gallery_panel";
import { header } from "./panels/header";
import { teachPanel } from "./panels/teach_panel";
import { timelinePanel } from "./panels/timeline_panel";
import { whyPanel } from "./panels/why_panel";
import type { View } from "./state";
import { strings } from "./strings";

/** The demonstration. It is fetched while the page starts: most visitors need it. */
let demonstration: Promise<Response> | null = null;

async function digits(): Promise<Uint8Array> {
    const response = await (demonstration ?? fetch("demo.bytes"));
    demonstration = null;
    if (!response.ok) throw new Error(`demo.bytes: ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
}

function notices(app: App): HTMLElement {
    const area = h("div", { class: "notices", role: "alert" });
    app.store.watch(["notice"], ({ notice }) => fill(area, notice && h("div", { class: `notice ${notice.kind}` },
        h("p", {}, notice.text),
        h("button", { type: "button", class: "tool small", "aria-label": strings.close, click: () => app.dismiss() }, icon("cross")))));
    return area;
}

function build(app: App, experiment: { element: HTMLElement }): void {
    const board = boardPanel(app);
    const teach = teachPanel(app);
    const views: Record<View, HTMLElement> = {
        draw: h("div", { class: "draw-view" }, 
            h("div", { class: "column" }, board.element, board.legend, whyPanel(app)),
            h("div", { class: "column" }, answerPanel(app), teach.element),
            h("div", { class: "column" }, timelinePanel(app))),
        gallery: galleryPanel(app),
        experiment: experiment.element,
    };
    const main = h("main", { id: "main" }, h("p", { class: "loading", role: "status" }, strings.loading), ...Object.values(views));
    app.store.watch(["view", "phase"], ({ view, phase }) => {
        for (const [name, element] of Object.entries(views)) element.hidden = name !== view || phase !== "ready";
        main.querySelector<HTMLElement>(".loading")!.hidden = phase !== "loading";
        document.body.dataset["phase"] = phase;
    });
    document.title = `${strings.title}: ${strings.tagline}`;
    document.body.replaceChildren(h("a", { class: "skip", href: "#main" }, strings.skip), header(app), notices(app), main);
    listenToKeys(app, teach.nameField);
}

const app = new App(openEngine, digits);
const experiment = experimentPanel(app);
build(app, experiment);
// Both are on their way while the page asks whether it came from a server. What fails is reported when it is used.
prepareEngine().catch(() => undefined);
demonstration = fetch("demo.bytes");
demonstration.catch(() => undefined);
void findServer(strings.serverGone).then((server) => app.start(server));

// For the browser's console, and for the tests.
Object.assign(window, {
    sprig: {
        state: () => app.store.get(),
        experiment: experiment.progress,
        settled: () => app.settled(),
        predict: (sample: Sample) => app.engine.predict(sample),
        explain: (sample: Sample, options?: { versus?: string }) => app.engine.explain(sample, options),
    },
});
