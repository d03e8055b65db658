// The board: draws with mouse, touch, pen and arrow keys, and shows strokes, pictures and what lies over them.

import { h, svg } from "../dom";
import { strings } from "../strings";
import { apply, fitInto } from "./affine";
import { boardSide, type Drawing, emptyDrawing, isEmpty, maxPoints, pointsOf } from "./drawing";

/** Nearer points than this add nothing. */
const smallestStep = 3;
const cursorStep = 20;

export interface BoardEvents {
    /** The pen went down: what is said about the drawing is about to be out of date. */
    penDown(): void;
    /** The drawing changed and the pen is up. */
    changed(drawing: Drawing): void;
}

export class Board {
    readonly element: HTMLElement;
    /** Where explanations are drawn, in the board's coordinates. */
    readonly overlay = svg("g", { class: "overlay" });
    private readonly surface: SVGSVGElement;
    private readonly ink = svg("g", { class: "ink" });
    private readonly picture = svg("g");
    private readonly cursor = svg("g", { class: "cursor" },
        svg("circle", { r: 16 }), svg("path", { d: "M-34 0h68M0-34v68" }));
    private drawing: Drawing = emptyDrawing;
    private line: SVGPolylineElement | null = null;
    private stroke: number[][] = [];
    private pointer: number | null = null;
    private keyPen = { x: boardSide / 2, y: boardSide / 2, down: false };
    /** The next stroke begins a new drawing. */
    private fresh = false;

    constructor(private readonly events: BoardEvents) {
        this.surface = svg("svg", {
            class: "surface", viewBox: `0 0 ${boardSide} ${boardSide}`, tabindex: 0, role: "application",
            "aria-label": strings.boardLabel, "aria-describedby": "board-keys", "data-key": "board",
        }, this.picture, this.ink, this.overlay, this.cursor);
        this.element = h("div", { class: "board" }, this.surface,
            h("p", { id: "board-keys", class: "visually-hidden" }, strings.boardKeys));
        this.listen();
    }

    show(drawing: Drawing): void {
        this.drawing = drawing;
        this.ink.replaceChildren(...drawing.strokes.map((stroke) => svg("polyline", { points: pointsOf(stroke) })));
        this.picture.replaceChildren();
        if (drawing.picture) {
            const { width, height } = drawing.picture.pixels;
            const place = fitInto(width, height, boardSide);
            const [x, y] = apply(place, [0, 0]);
            this.picture.append(svg("image", {
                href: drawing.picture.url, x, y, width: width * place[0], height: height * place[3],
            }));
        }
        this.element.classList.toggle("empty", isEmpty(drawing));
    }

    setWidth(units: number): void {
        this.ink.setAttribute("stroke-width", String(units));
    }

    /** After a lesson: the next stroke begins a new drawing. */
    startAfresh(): void {
        this.fresh = true;
    }
    keepGoing(): void {
        this.fresh = false;
    }

    private listen(): void {
        const surface = this.surface;
        surface.addEventListener("pointerdown", (event) => this.pointerDown(event));
        surface.addEventListener("pointermove", (event) => this.pointerMove(event));
        surface.addEventListener("pointerup", (event) => this.pointerUp(event));
        surface.addEventListener("pointercancel", (event) => this.pointerUp(event));
        surface.addEventListener("keydown", (event) => this.key(event));
        surface.addEventListener("blur", () => this.keyPenUp());
    }

    private at(event: PointerEvent): number[] {
        const box = this.surface.getBoundingClientRect();
        return [
            Math.round(((event.clientX - box.left) / box.width) * boardSide),
            Math.round(((event.clientY - box.top) / box.height) * boardSide),
        ];
    }

    private pointerDown(event: PointerEvent): void {
        if (this.pointer !== null || event.button !== 0) return;
        this.keyPenUp();
        this.pointer = event.pointerId;
        this.surface.setPointerCapture(event.pointerId);
        this.begin(this.at(event));
        event.preventDefault();
        this.surface.focus({ preventScroll: true });
        this.surface.classList.add("by-pointer");
    }

    private pointerMove(event: PointerEvent): void {
        if (event.pointerId !== this.pointer) return;
        const parts = event.getCoalescedEvents?.() ?? [];
        for (const part of parts.length > 0 ? parts : [event]) this.extend(this.at(part));
    }

    private pointerUp(event: PointerEvent): void {
        if (event.pointerId !== this.pointer) return;
        this.pointer = null;
        this.end();
    }

    private begin(point: number[]): void {
        if (this.fresh || this.drawing.picture) this.show(emptyDrawing);
        this.fresh = false;
        this.events.penDown();
        this.stroke = [point];
        this.line = svg("polyline", { points: pointsOf(this.stroke) });
        this.ink.append(this.line);
        this.element.classList.remove("empty");
    }

    private extend(point: number[]): void {
        const last = this.stroke.at(-1);
        if (!last || !this.line) return;
        if (Math.hypot(point[0]! - last[0]!, point[1]! - last[1]!) < smallestStep) return;
        const points = this.drawing.strokes.reduce((sum, stroke) => sum + stroke.length, this.stroke.length);
        if (points >= maxPoints) return;
        this.stroke.push(point);
        this.line.setAttribute("points", pointsOf(this.stroke));
    }

    private end(): void {
        if (!this.line) return;
        this.line = null;
        this.drawing = { strokes: [...this.drawing.strokes, this.stroke], picture: null };
        this.events.changed(this.drawing);
    }

    /** The pen of the keyboard: arrows move it, Space sets it down and lifts it. */
    private key(event: KeyboardEvent): void {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const step = event.shiftKey ? 4 * cursorStep : cursorStep;
        const moves: Record<string, [number, number]> = {
            ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step],
        };
        const move = moves[event.key];
        if (!move && event.key !== " ") return;
        event.preventDefault();
        this.surface.classList.remove("by-pointer");
        const pen = this.keyPen;
        if (move) {
            pen.x = Math.min(boardSide, Math.max(0, pen.x + move[0]));
            pen.y = Math.min(boardSide, Math.max(0, pen.y + move[1]));
            if (pen.down) this.extend([pen.x, pen.y]);
        } else if (pen.down) {
            this.keyPenUp();
        } else {
            pen.down = true;
            this.begin([pen.x, pen.y]);
        }
        this.cursor.setAttribute("transform", `translate(${pen.x} ${pen.y})`);
        this.cursor.classList.toggle("down", pen.down);
    }

    private keyPenUp(): void {
        if (!this.keyPen.down) return;
        this.keyPen.down = false;
        this.cursor.classList.remove("down");
        this.end();
    }
}
