// Makes the screenshots in out/page, and the picture for the README.
import { join } from "node:path";

import { anotherHand, draw, launch, open, outFolder, root, serveFolder, shapes, state, teachNew } from "./support.mjs";

/** A shape as a hand draws it: not quite straight, and of many points. */
function byHand(strokes) {
    return strokes.map((stroke) => {
        const points = [];
        for (let i = 0; i + 1 < stroke.length; i += 1) {
            const [[ax, ay], [bx, by]] = [stroke[i], stroke[i + 1]];
            for (let t = 0; t < 1; t += 0.1) {
                const bend = 9 * Math.sin(Math.PI * t) * Math.sin(5 * i + ax);
                points.push([ax + t * (bx - ax) + bend, ay + t * (by - ay) - bend]);
            }
        }
        return [...points, stroke.at(-1)];
    });
}

const [browser, server] = await Promise.all([launch(), serveFolder()]);

async function tour(name, options, target = join(outFolder, `${name}.png`)) {
    const { page, context } = await open(browser, server.url, options);
    await page.screenshot({ path: join(outFolder, `${name}-empty.png`) });
    for (const shape of ["star", "house", "arrow"]) {
        await draw(page, byHand(shapes[shape]));
        if (shape === "house") await page.screenshot({ path: join(outFolder, `${name}-unknown.png`) });
        await teachNew(page, shape);
    }
    await draw(page, byHand(anotherHand(shapes.house)));
    await page.mouse.move(5, 5);
    await state(page);
    await page.waitForTimeout(400);
    await page.screenshot({ path: target });
    await page.screenshot({ path: join(outFolder, `${name}-all.png`), fullPage: true });
    await page.locator("[data-key=view-gallery]").click();
    await page.locator(".class-card").nth(12).waitFor();
    await page.screenshot({ path: join(outFolder, `${name}-gallery.png`) });
    await page.locator("[data-key=view-experiment]").click();
    await page.screenshot({ path: join(outFolder, `${name}-experiment.png`) });
    await context.close();
}

for (const colorScheme of ["light", "dark"]) {
    await tour(`desktop-${colorScheme}`, { colorScheme });
    await tour(`phone-${colorScheme}`, { colorScheme, viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
}
await tour("readme", { viewport: { width: 1280, height: 790 } }, join(root, "docs/pictures/page.png"));
await browser.close();
server.close();
