// "Watch it learn": start, pause, and the charts.

import type { App } from "../app";
import { fill, h, icon } from "../dom";
import { openEngine } from "../engine/browser_model";
import { strings } from "../strings";
import { accuracyChart, classChart, unitsChart } from "./charts";
import { type Digits, type Order, orders, parseDigits } from "./digits";
import { accuracy, Experiment, heldOut, interval, NetworkLearner, type Progress, SprigLearner } from "./experiment";

const emptyProgress: Progress = { length: 1600, learned: 0, next: null, tests: [] };
/** Of the network's first weights. */
const seed = 1;

async function fetchDigits(): Promise<Digits> {
    const response = await fetch("digits.bin");
    if (!response.ok) throw new Error(strings.digitsUnreadable);
    return parseDigits(new Uint8Array(await response.arrayBuffer()));
}

function results({ tests }: Progress): HTMLElement {
    const last = tests.at(-1);
    const one = (who: "sprig" | "network", name: string) => h("span", { class: `result ${who}` },
        h("strong", {}, last ? `${(100 * accuracy(last[who])).toFixed(1)} %` : "–"), name);
    return h("div", { class: "results" }, one("sprig", strings.learnerSprig), one("network", strings.learnerNetwork));
}

function charts(progress: Progress): HTMLElement[] {
    const columns = Math.max(1, Math.ceil(progress.length / interval));
    return [
        h("div", { class: "chart-column" }, h("div", { class: "card" }, h("h2", {}, strings.accuracyTitle), results(progress), accuracyChart(progress),
            progress.tests.length === 0 && h("p", { class: "empty" }, strings.experimentEmpty)),
        h("div", { class: "card" }, h("h2", {}, strings.unitsTitle), unitsChart(progress))),
        h("div", { class: "card" }, h("h2", {}, `${strings.perClassTitle}: ${strings.learnerSprig}`), classChart(progress, "sprig", columns),
            h("h2", { class: "second" }, `${strings.perClassTitle}: ${strings.learnerNetwork}`), classChart(progress, "network", columns),
            h("p", { class: "hint" }, strings.perClassHint)),
    ];
}

export function experimentPanel(app: App): { element: HTMLElement; progress: () => Progress | null } {
    let digits: Digits | null = null;
    let experiment: Experiment | null = null;
    let running = false;
    const area = h("div", { class: "charts" });
    const status = h("p", { class: "status", role: "status" });
    const order = h("select", {}, ...orders.map((name) => h("option", { value: name }, strings.orders[name])));
    const go = h("button", { type: "button", class: "primary", "data-key": "go", click: () => void startOrPause() });
    const restart = h("button", { type: "button", click: () => void begin().then(() => experiment?.run()) }, icon("again"), strings.restart);

    const show = (progress: Progress, isRunning: boolean) => {
        running = isRunning;
        fill(area, ...charts(progress));
        const finished = progress.tests.length > 0 && progress.learned === progress.length;
        fill(go, icon(running ? "pause" : "play"), running ? strings.pause : progress.learned > 0 ? strings.goOn : strings.start);
        go.hidden = finished;
        restart.hidden = progress.learned === 0;
        status.textContent = progress.learned === 0 && !running ? "" : strings.progress(progress.learned, progress.length)
            + (running && progress.next !== null ? `. ${strings.nowLearning(progress.next)}` : "");
    };
    const begin = async () => {
        await experiment?.close();
        if (!digits) {
            status.textContent = strings.experimentLoading;
            digits = await fetchDigits();
        }
        const [engine, network] = await Promise.all([openEngine(null), new NetworkLearner().begin(seed)]);
        experiment = new Experiment(new SprigLearner(engine), network, digits, order.value as Order, show);
    };
    const startOrPause = async () => {
        if (running) return experiment?.pause();
        try {
            if (!experiment) await begin();
            await experiment?.run();
        } catch (error) {
            app.notify("error", error instanceof Error ? error.message : String(error));
        }
    };
    order.addEventListener("change", () => {
        void experiment?.close();
        experiment = null;
        show(emptyProgress, false);
    });
    show(emptyProgress, false);
    const element = h("section", { class: "experiment-panel", "aria-labelledby": "experiment-title" },
        h("div", { class: "page-head" }, h("h2", { id: "experiment-title" }, strings.experimentTitle), h("p", {}, strings.experimentIntro)),
        h("div", { class: "controls" }, go, restart, h("label", {}, strings.order, order), status),
        area, h("p", { class: "hint" }, `${strings.networkIs} ${strings.heldOut(heldOut)} ${strings.digitsSource}`));
    return { element, progress: () => experiment?.progress ?? null };
}
