/** Looks at the pixels of a page, for what no role or style says: whether something can be seen. */
import type { Locator, Page } from 'playwright-core';
import sharp from 'sharp';

/** The colours of a part of the screen, and how many pixels have each: `'255,255,255' → 120`. */
export type Colours = ReadonlyMap<string, number>;

/** The pixels that an element covers, and a few around it. */
export async function coloursOf(element: Locator, around = 0): Promise<Colours> {
  await element.scrollIntoViewIfNeeded();
  const box = await element.boundingBox();
  if (box === null) throw new Error(`not on the screen: ${element}`);
  return coloursIn(element.page(), box, around);
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The pixels of a part of the screen, and so many around it. */
export async function coloursIn(page: Page, box: Box, around = 0): Promise<Colours> {
  const screen = page.viewportSize() ?? { width: 0, height: 0 };
  const [left, top] = [Math.max(0, Math.floor(box.x - around)), Math.max(0, Math.floor(box.y - around))];
  const clip = {
    x: left,
    y: top,
    width: Math.min(screen.width, Math.ceil(box.x + box.width + around)) - left,
    height: Math.min(screen.height, Math.ceil(box.y + box.height + around)) - top,
  };
  const { data, info } = await sharp(await page.screenshot({ clip }))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const colours = new Map<string, number>();
  for (let at = 0; at < data.length; at += info.channels) {
    const colour = `${data[at]},${data[at + 1]},${data[at + 2]}`;
    colours.set(colour, (colours.get(colour) ?? 0) + 1);
  }
  return colours;
}

/** How many pixels have a colour of the system, such as `Highlight`, on the ground `Canvas`. */
export async function pixelsIn(page: Page, colours: Colours, name: string): Promise<number> {
  const [red = 0, green = 0, blue = 0] = await systemColour(page, name);
  let pixels = 0;
  for (const [colour, count] of colours) {
    const [r = 0, g = 0, b = 0] = colour.split(',').map(Number);
    if (Math.max(Math.abs(r - red), Math.abs(g - green), Math.abs(b - blue)) <= ROUNDING) pixels += count;
  }
  return pixels;
}

/** Browsers round blended colours in their own ways. */
const ROUNDING = 2;

/** `Highlight` can be transparent to some degree. */
function systemColour(page: Page, name: string): Promise<number[]> {
  return page.evaluate((wanted) => {
    const probe = document.body.appendChild(document.createElement('i'));
    const [colour = [], ground = []] = [wanted, 'Canvas'].map((system) => {
      probe.style.color = system;
      return (getComputedStyle(probe).color.match(/[\d.]+/g) ?? []).map(Number);
    });
    probe.remove();
    const opacity = colour[3] ?? 1;
    return [0, 1, 2].map((at) => Math.round((colour[at] ?? 0) * opacity + (ground[at] ?? 0) * (1 - opacity)));
  }, name);
}
