// What the browser tests share: a file server, a browser, and a hand that draws.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

export const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
export const program = process.env.SPRIG_PROGRAM ?? join(root, "build/release/sprig");
/** Generous, for a busy machine. */
export const patience = 60_000;
export const outFolder = join(root, "out/page");
mkdirSync(outFolder, { recursive: true });

const types = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm",
};

/** Any file server would do. Returns its address and how to stop it. */
export async function serveFolder(folder = join(root, "web/dist")) {
    const server = createServer((request, response) => {
        const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
        const file = join(folder, path === "/" ? "index.html" : path);
        if (!existsSync(file)) return response.writeHead(404).end();
        response.writeHead(200, { "content-type": types[extname(file)] ?? "application/octet-stream" });
        response.end(readFileSync(file));
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

export async function launch() {
    const sandbox = process.getuid() === 0 ? ["--no-sandbox"] : []; // Chromium has none for root
    return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: sandbox });
}

/** A page that has started. Errors of the page end up in `problems`. */
export async function open(browser, url, options = {}) {
    const context = options.context ?? await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => {
        // The page asks whether it came from a server with a model; that there is none is no error.
        if (message.type() === "error" && !message.location().url.endsWith("/api/model")) problems.push(message.text());
    });
    await page.goto(url);
    await ready(page);
    return { page, context, problems };
}

export async function ready(page) {
    await page.waitForFunction(() => ["ready", "failed"].includes(document.body.dataset.phase ?? ""));
    const notice = await page.locator(".notice").allTextContents();
    if (await page.evaluate(() => document.body.dataset.phase) === "failed") throw new Error(`the page failed: ${notice}`);
}

// Drawings, in thousandths of the board.
export const shapes = {
    seven: [[[280, 230], [720, 230], [460, 840]]],
    three: [[[300, 250], [420, 170], [580, 170], [680, 270], [650, 400], [480, 470], [660, 540], [720, 680], [620, 810], [440, 840], [290, 760]]],
    star: [[[500, 150], [600, 420], [880, 420], [660, 590], [740, 860], [500, 690], [260, 860], [340, 590], [120, 420], [400, 420], [500, 150]]],
    house: [[[250, 700], [250, 420], [500, 200], [750, 420], [750, 700], [250, 700]]],
    arrow: [[[150, 500], [850, 500]], [[640, 300], [850, 500], [640, 700]]],
};
/** The same, as another hand would draw it. */
export const anotherHand = (strokes) => strokes.map((stroke) => stroke.map(([x, y], i) =>
    [x * 0.8 + 90 + 14 * Math.sin(3 * i + y), y * 0.84 + 40 + 14 * Math.cos(2 * i + x)]));

export async function drawStroke(page, stroke) {
    const box = await page.locator(".surface").boundingBox();
    const at = ([x, y]) => [box.x + (x / 1000) * box.width, box.y + (y / 1000) * box.height];
    await page.mouse.move(...at(stroke[0]));
    await page.mouse.down();
    for (const point of stroke.slice(1)) await page.mouse.move(...at(point), { steps: 5 });
    await page.mouse.up();
}

/** Draws with the mouse on an empty board and waits for the answer. */
export async function draw(page, strokes) {
    if (await page.getByRole("button", { name: "Clear" }).isEnabled()) await page.getByRole("button", { name: "Clear" }).click();
    for (const stroke of strokes) await drawStroke(page, stroke);
    return answer(page);
}

/** What the page knows, when nothing is under way. */
export async function state(page) {
    return page.evaluate(() => window.sprig.settled());
}

export async function answer(page) {
    return (await state(page)).answer;
}

/** The label on the screen. */
export const shownLabel = (page) => page.locator(".verdict .label").textContent();

export async function teachNew(page, name) {
    await page.getByRole("textbox", { name: "Name of the class" }).fill(name);
    await page.getByRole("button", { name: "Teach", exact: true }).click();
    await page.locator(".next", { hasText: `Taught as “${name}”` }).waitFor();
    return state(page);
}

/** Runs the program and returns what it prints. */
export function sprig(...words) {
    const done = spawnSync(program, words, { encoding: "utf8" });
    if (done.status !== 0) throw new Error(`sprig ${words.join(" ")}: ${done.stderr}`);
    return done.stdout;
}
