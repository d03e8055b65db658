// Everything that the page says, in one place.

const percent = (share: number): string => {
    if (share > 0 && share < 0.01) return "below 1 %";
    if (share < 1 && share > 0.99) return "above 99 %";
    return `${Math.round(100 * share)} %`;
};
const count = (number: number, one: string, many: string): string =>
    `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
/** A label in a sentence. */
const quoted = (label: string): string => `“${label}”`;

export const strings = {
    title: "Sprig",
    tagline: "Learns shapes from one drawing, and forgets nothing",
    views: { draw: "Draw", gallery: "Gallery", experiment: "Watch it learn" },
    viewsLabel: "Views",
    skip: "Skip to the drawing board",
    loading: "Loading the engine …",
    startFailed: (reason: string) => `The page cannot start: ${reason}`,
    percent,

    // The board
    boardLabel: "Drawing board",
    boardKeys: "Arrow keys move the pen, with Shift in larger steps. Space sets it down and lifts it.",
    boardEmptyDigits: "Draw a digit here",
    boardEmptyDigitsMore: "or any shape of your own",
    boardEmptyKnown: "Draw here",
    boardEmptyKnownMore: (labels: string) => `It knows ${labels}`,
    boardEmptyNothing: "Draw any shape here",
    boardEmptyNothingMore: "then give it a name",
    toolsLabel: "Drawing tools",
    undoStroke: "Undo stroke",
    clear: "Clear",
    width: "Pen",
    widthTitle: "The width of the pen on the screen. The model draws your strokes with a pen of its own.",
    choosePicture: "Picture …",
    choosePictureTitle: "Choose a picture. You can also drop or paste one.",
    dropHere: "Drop the picture",
    pictureUnreadable: "This file is not a picture that the browser can read. Choose a PNG or JPEG file.",
    notAPicture: "There is no picture in what you dropped or pasted. Take a PNG or JPEG file.",

    // The answer
    answerTitle: "Answer",
    answerEmpty: "The answer appears here as soon as you lift the pen.",
    answerNothingKnown: "The model is empty. Draw a shape, type its name below, and teach it.",
    answerNoClass: "It knows nothing yet. Give this drawing a name below.",
    probability: (share: number) => percent(share),
    answerSpoken: (label: string, share: number, fit: string) => `${label}, ${percent(share)}. ${fit}`,
    fits: {
        good: "Fits well.",
        unsure: "Somewhat unlike what it knows.",
        unknown: "Never seen anything like this.",
    },
    fitsNext: "The numbers only compare the classes that it knows. Teach it as one of them, or give it a new name.",
    justTaught: (label: string) => `Taught as ${quoted(label)}. Your next stroke begins a new drawing.`,
    others: "Compared with",
    othersTitle: (label: string) => `Compare with ${quoted(label)}`,
    moreClasses: (number: number) => `${count(number, "more class", "more classes")}`,
    fewerClasses: "Fewer",

    // Why
    whyTitle: "Why",
    whyEmpty: "Lift the pen to see which parts of the drawing decide.",
    layersLabel: "Shown on the drawing",
    layers: {
        network: "Network", decisive: "Decides", matched: "Found", missing: "Missing", change: "Change",
    },
    layersTitle: {
        network: "The network that the model reads from the drawing",
        decisive: "The parts that decide most between the two classes",
        matched: "Where the parts of the winner's unit were found, each with a line to where it is expected",
        missing: "Parts of the unit that the drawing lacks",
        change: "What would have to be added for the other answer",
    },
    decides: (answer: string, other: string, lead: number, without: number) =>
        without > 0.8 * lead ? `No few points decide between ${quoted(answer)} and ${quoted(other)}: the whole drawing does.`
            : without > 0 ? `The filled points decide for ${quoted(answer)}. Without them, its lead over ${quoted(other)} falls from ${lead.toFixed(0)} to ${without.toFixed(0)}.`
            : `The filled points decide for ${quoted(answer)}. Without them, it would be ${quoted(other)}.`,
    changeFound: (to: string) => `With the dotted lines, the answer would be ${quoted(to)}.`,
    changeNone: (to: string, atLeast: number) =>
        `No small addition makes it ${quoted(to)}: that takes at least ${count(atLeast, "part", "parts")}.`,
    inNumbers: "In numbers",
    onlyOneClass: "Teach a second class to see what decides between the two.",
    normalised: "You see the picture as the model reads it.",

    // Teaching
    teachTitle: "Teach",
    teachHint: "What is it? Choose a class, or type a new name.",
    teachNameLabel: "Name of the class",
    teachPlaceholder: "New name, e.g. star",
    teach: "Teach",
    teachClass: (label: string, key: string | null) => (key ? `Teach as ${quoted(label)} (key ${key})` : `Teach as ${quoted(label)}`),
    teachFirstDraw: "Draw something first.",
    teachFirstName: "Type a name first.",

    // The sitting
    timelineTitle: "Lessons",
    timelineEmpty: "What you teach is listed here. You can go back to any point.",
    lessonNumber: (number: number) => `${number}`,
    effects: {
        founded: "made a new unit", joined: "joined a unit", changed: "changed several units",
    },
    firstOfClass: "new class",
    drawingOf: (label: string) => `Your drawing of ${quoted(label)}`,
    stillKnown: "still recognised",
    nowTaken: (label: string) => `now answered ${quoted(label)}`,
    undoLast: "Undo",
    undoTo: "Back to before this",
    undoToTitle: (number: number, label: string) => `Undo lesson ${number}, ${quoted(label)}, and all after it`,
    cannotUndo: "part of the stored model",
    memoryTitle: "Nothing forgotten",
    memoryAsked: (right: number, all: number) =>
        right === all ? `All ${count(all, "drawing", "drawings")} taught here asked again: recognised.`
            : `${count(all, "drawing", "drawings")} taught here asked again: ${right} recognised.`,
    memoryOne: "The drawing taught here was asked again: recognised.",
    memorySame: (scores: number) =>
        `The last lesson changed no score of another class: ${count(scores, "score", "scores")} compared, all equal to the last bit.`,
    memoryChanged: (changed: number, scores: number) =>
        `The last lesson changed ${changed} of ${count(scores, "score", "scores")} of other classes.`,
    memoryFirst: "With a second class, the scores of the others are compared after each lesson.",

    // The gallery
    galleryTitle: "What each class looks like to the model",
    galleryIntro: "A class is a few units. Each unit is one learned variant: its parts, where they are expected, and how sure that is. No drawing is kept in the model.",
    galleryEmpty: "Nothing learned yet. Draw a shape and teach it; it then appears here.",
    galleryCounts: (samples: number, units: number) => `${count(samples, "lesson", "lessons")}, ${count(units, "unit", "units")}`,
    unitCaption: (samples: number, nodes: number) => `${count(samples, "drawing", "drawings")}, ${count(nodes, "part", "parts")}`,
    unitDrawing: (label: string, number: number) => `Unit ${number} of class ${quoted(label)}`,
    rename: "Rename",
    renameTo: (label: string) => `New name of ${quoted(label)}`,
    forget: "Forget",
    forgetConfirm: (label: string) => `Forget class ${quoted(label)}? This cannot be undone.`,
    cancel: "Cancel",
    save: "Save",

    // The model
    modelButton: "Model",
    modelTitle: "The model",
    modelNow: "Now",
    sources: {
        nothing: "Your own model", digits: "Digits", file: (name: string) => name, server: "Model file",
    },
    modelCounts: (classes: number, lessons: number) =>
        `${count(classes, "class", "classes")}, ${count(lessons, "lesson", "lessons")}`,
    modelDigest: (digest: string) => `Digest ${digest}`,
    modelStart: "Start again from",
    startNothing: "Empty model",
    startNothingMore: "It knows only what you teach it",
    startDigits: "Digits",
    startDigitsMore: "The demonstration: 1,000 images of the ten digits",
    startFile: "A file …",
    startFileMore: "A model that you saved here",
    startReplaces: "This replaces the model and the lessons here. Save them first if you want to keep them.",
    modelSave: "Save",
    saveBytes: "Save the model",
    saveBytesMore: "For this page, and for the program: sprig predict, sprig export --to file",
    saveFile: "Save as .sprig",
    saveFileMore: "A copy of the model file, with its journal",
    saveLessons: "Save my drawings",
    saveLessonsMore: "The strokes taught here, for sprig learn strokes:FILE",
    digitsSource: "The digits are from MNIST by Y. LeCun, C. Cortes and C. J. C. Burges, under the licence CC BY-SA 3.0.",
    stays: "Everything stays on this machine. The model is stored in this browser.",
    staysServer: "Everything stays on this machine. Each lesson is in the model file before it is answered.",
    close: "Close",
    fileUnusable: (name: string, reason: string) => `${name} cannot be opened: ${reason}`,
    resumeFailed: (reason: string) =>
        `The model stored in this browser cannot be opened: ${reason} You see the demonstration. Nothing more is stored until you choose a model.`,
    learnedAgain: "The engine has changed since your last visit. Your drawings were learned again, which gave another model.",
    storageFailed: "This browser does not let the page store the model. Save it before you leave.",
    serverGone: "The server does not answer. Start it again with sprig serve, then reload this page.",

    // Keys
    keysButton: "Keys",
    keysTitle: "Keys",
    keys: [
        ["1, a …", "teach the drawing as the class that shows this key"],
        ["Enter", "teach the drawing as the answer"],
        ["+", "name a new class"],
        ["Backspace", "undo the last stroke"],
        ["Escape", "clear the board"],
        ["Ctrl Z", "undo the last lesson"],
        ["Ctrl V", "paste a picture"],
        ["Arrows, Space", "move the pen, set it down and lift it (on the board)"],
    ] as [string, string][],
    theme: { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" },

    // The experiment
    experimentTitle: "Watch it learn",
    experimentIntro: "Two learners see the same digits, one at a time, each once: Sprig, and a network trained by gradient steps. Both are computed here and now. Nothing is recorded.",
    experimentEmpty: "Press Start. The digits come one class after the other, so that you see what happens to the first when the last arrive.",
    experimentLoading: "Fetching the digits …",
    start: "Start",
    pause: "Pause",
    goOn: "Go on",
    restart: "From the start",
    order: "Order",
    orders: { classes: "one class after the other", blocks: "five of each class in turn", mixed: "mixed" },
    speedLabel: "Tests",
    accuracyTitle: "Accuracy on digits that neither has seen",
    accuracyAxis: "accuracy over the classes seen so far",
    lessonsAxis: "digits learned",
    learnerSprig: "Sprig",
    learnerNetwork: "Network",
    perClassTitle: "Accuracy by class",
    perClassOf: (learner: string) => `${learner}: accuracy by class over time`,
    perClassHint: "Each row is a class. Dark: recognised. Empty: not yet taught.",
    unitsTitle: "Units of Sprig",
    progress: (done: number, all: number) => `${done.toLocaleString("en")} of ${all.toLocaleString("en")} digits learned`,
    resultLine: (learner: string, accuracy: number) => `${learner}: ${(100 * accuracy).toFixed(1)} %`,
    nowLearning: (label: string) => `Now learning ${quoted(label)}`,
    networkIs: "The network: two layers of 256, ReLU, softmax over ten outputs, one step of Adam (0.0003) for each digit.",
    heldOut: (perClass: number) => `Tested on ${perClass} other digits of each class.`,
    chartSpoken: (sprig: string, network: string, done: number) =>
        `After ${done} digits: Sprig ${sprig}, the network ${network}.`,
    digitsUnreadable: "The digits cannot be read: digits.bin is missing or damaged beside this page. Build the page again with make page.",
} as const;
