import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ACCENTS } from '../base/look.ts';

const THEMES = ['light', 'dark'] as const;
const SURFACES = ['paper', 'ground', 'raised', 'sunken', 'selected', 'accent-soft'];

/** [the colour, what is behind it, the least contrast of WCAG 2.2 AA]. */
const PAIRS: readonly (readonly [string, readonly string[], number])[] = [
  ...['ink', 'ink-quiet', 'ink-faint', 'accent-ink'].map((ink) => [ink, SURFACES, 4.5] as const),
  ['on-accent', ['accent', 'accent-hover', 'accent-pressed'], 4.5],
  ...['accent', 'focus'].map((mark) => [mark, SURFACES, 3] as const),
];

/** The colours of an accent, each as [light, dark]. */
function coloursOf(sheet: string, accent: string): ReadonlyMap<string, readonly string[]> {
  const colours = new Map<string, readonly string[]>();
  for (const [, selector = '', body = ''] of sheet.matchAll(/^(:root[^{]*)\{([^}]*)\}/gm)) {
    if (selector.trim() !== ':root' && !selector.includes(`[data-accent="${accent}"]`)) continue;
    for (const [, name = '', light = '', dark = ''] of body.matchAll(
      /--([\w-]+):\s*light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)/g,
    )) {
      colours.set(name, [light, dark]);
    }
  }
  return colours;
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

for (const accent of ACCENTS) {
  test(`the accent ${accent} has enough contrast in both themes`, async () => {
    const colours = coloursOf(await readFile(join(import.meta.dirname, 'tokens.css'), 'utf8'), accent);
    const tooWeak: string[] = [];
    for (const [index, theme] of THEMES.entries()) {
      for (const [colour, grounds, least] of PAIRS) {
        for (const ground of grounds) {
          const [front, behind] = [colours.get(colour)?.[index], colours.get(ground)?.[index]];
          assert(front !== undefined && behind !== undefined, `--${colour} or --${ground} is missing`);
          const reached = contrast(front, behind);
          if (reached < least) tooWeak.push(`${theme}: --${colour} on --${ground} ${reached.toFixed(2)}`);
        }
      }
    }
    assert.deepEqual(tooWeak, []);
  });
}

test('each accent has colours of its own', async () => {
  const sheet = await readFile(join(import.meta.dirname, 'tokens.css'), 'utf8');
  const accents = ACCENTS.map((accent) => coloursOf(sheet, accent).get('accent')?.join());
  assert.equal(new Set(accents).size, ACCENTS.length);
});
