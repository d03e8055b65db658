// Elements of the page, made by code. Text is always text: nothing a user or a model file says becomes markup.

type Attribute = string | number | boolean | null | undefined | ((event: never) => void);
export type Attributes = Record<string, Attribute>;
export type Child = Node | string | null | undefined | false;

function setAttributes(element: Element, attributes: Attributes): void {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (typeof value === "function") element.addEventListener(name, value as EventListener);
        else element.setAttribute(name, value === true ? "" : String(value));
    }
}

/** An HTML element. A function among the attributes listens to the event of that name. */
export function h<K extends keyof HTMLElementTagNameMap>(
    tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
    const element = document.createElement(tag);
    setAttributes(element, attributes);
    append(element, children);
    return element;
}

/** An SVG element. */
export function svg<K extends keyof SVGElementTagNameMap>(
    tag: K, attributes: Attributes = {}, ...children: Child[]
): SVGElementTagNameMap[K] {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    setAttributes(element, attributes);
    append(element, children);
    return element;
}

function append(parent: Element, children: Child[]): void {
    for (const child of children) if (child) parent.append(child);
}

/** Replaces all children. Keeps the keyboard focus if the focused element has a successor with the same data-key. */
export function fill(parent: Element, ...children: Child[]): void {
    const focused = parent.contains(document.activeElement) ? document.activeElement : null;
    const key = focused?.getAttribute("data-key");
    parent.replaceChildren(...children.filter((child): child is Node | string => Boolean(child)));
    if (key) parent.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
}

/** Small pictures of the tools, drawn with the colour of the text. */
const icons = {
    undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
    clear: "M18 6 6 18M6 6l12 12",
    picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01",
    check: "m5 12 5 5L20 7",
    cross: "M18 6 6 18M6 6l12 12",
    download: "M12 4v11m-5-5 5 5 5-5M5 20h14",
    open: "M12 15V4m-5 5 5-5 5 5M5 20h14",
    play: "M7 4v16l13-8z",
    pause: "M8 5v14M16 5v14",
    again: "M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6",
    theme: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
    keyboard: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M7 14h10",
    plus: "M12 5v14M5 12h14",
    pencil: "m4 20 1-4L16 5l3 3L8 19z",
    bin: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
} as const;
export type IconName = keyof typeof icons;

export function icon(name: IconName): SVGSVGElement {
    return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
        svg("path", { d: icons[name] }));
}
