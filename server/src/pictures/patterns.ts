/** Generated pictures for accounts without one, on servers that do not use Gravatar. */
import { hash } from 'node:crypto';
import { pictureLibrary } from './decoding.ts';

const PATTERN_SIZES = { small: 100, medium: 500 } as const;
export type PatternSize = keyof typeof PATTERN_SIZES;

/** How many patterns exist: few enough that the requested ones fit into memory. */
const PATTERN_COUNT = 256;

/** @param of any number; neighbouring numbers have different patterns */
export function patternUrl(of: number, size: PatternSize): string {
  return `/static/patterns/${of % PATTERN_COUNT}${size === 'medium' ? '-medium' : ''}.png`;
}

/** Parses the file name in a pattern's URL; undefined if there is no such pattern. */
export function patternNamed(file: string): { readonly number: number; readonly size: PatternSize } | undefined {
  const [, digits, medium] = /^(0|[1-9]\d{0,2})(-medium)?\.png$/.exec(file) ?? [];
  const number = Number(digits ?? PATTERN_COUNT);
  if (number >= PATTERN_COUNT) return undefined;
  return { number, size: medium === undefined ? 'small' : 'medium' };
}

/** Rows and columns of a pattern. The right half mirrors the left one. */
const PATTERN_SIZE_FIELDS = 5;
const PAPER = [240, 240, 240] as const;

/** Returns a pattern as PNG. */
export async function drawPattern(number: number, size: PatternSize): Promise<Buffer> {
  const bytes = Buffer.from(hash('sha256', `pattern ${number}`), 'hex');
  const ink = [0, 1, 2].map((at) => 40 + (bytes.readUInt8(at) % 150));
  const pixels = Buffer.alloc(PATTERN_SIZE_FIELDS * PATTERN_SIZE_FIELDS * 3);
  for (let row = 0; row < PATTERN_SIZE_FIELDS; row++) {
    for (let column = 0; column < PATTERN_SIZE_FIELDS; column++) {
      const half = Math.min(column, PATTERN_SIZE_FIELDS - 1 - column);
      const isInked = bytes.readUInt8(3 + row * 3 + half) % 2 === 1;
      pixels.set(isInked ? ink : PAPER, (row * PATTERN_SIZE_FIELDS + column) * 3);
    }
  }
  const sharp = await pictureLibrary();
  const pattern = sharp(pixels, { raw: { width: PATTERN_SIZE_FIELDS, height: PATTERN_SIZE_FIELDS, channels: 3 } });
  const side = PATTERN_SIZES[size];
  return pattern.resize(side, side, { kernel: 'nearest' }).png({ palette: true }).toBuffer();
}
