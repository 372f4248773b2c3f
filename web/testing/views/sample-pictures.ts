/** Pictures of the sample organization, as SVG. They are drawn here, so that the repository contains no photographs. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Colours of a portrait. */
export interface Portrait {
  readonly ground: readonly [string, string];
  readonly skin: string;
  readonly hair: string;
  readonly shirt: string;
  readonly hairstyle: 'short' | 'long' | 'bun' | 'curls' | 'none';
}

const PORTRAIT_SIZE = 256;

const HAIR: Readonly<Record<Portrait['hairstyle'], string>> = {
  short: '<path d="M80 118c-6-52 18-74 48-74s54 22 48 74c-6-26-18-38-30-44-20 10-48 8-58 2-6 10-8 26-8 42z"/>',
  long: '<path d="M70 196c-4-40-2-92 8-118 10-24 30-36 50-36s40 12 50 36c10 26 12 78 8 118l-28 4c10-40 14-84 4-116-24 6-54 4-68-4-8 36-6 80 4 120z"/>',
  bun: '<circle cx="128" cy="38" r="24"/><path d="M80 118c-6-50 18-72 48-72s54 22 48 72c-8-28-24-42-48-44-24 2-40 16-48 44z"/>',
  curls:
    '<g><circle cx="88" cy="92" r="22"/><circle cx="102" cy="66" r="24"/><circle cx="128" cy="56" r="26"/><circle cx="154" cy="66" r="24"/><circle cx="168" cy="92" r="22"/><circle cx="82" cy="118" r="16"/><circle cx="174" cy="118" r="16"/></g>',
  none: '',
};

/** A drawn portrait as SVG. */
export function portrait({ ground, skin, hair, shirt, hairstyle }: Portrait): string {
  const behind = hairstyle === 'long' || hairstyle === 'curls';
  const hairShape = `<g fill="${hair}">${HAIR[hairstyle]}</g>`;
  return drawn(
    PORTRAIT_SIZE,
    PORTRAIT_SIZE,
    `<defs><linearGradient id="g" x2="0" y2="1"><stop stop-color="${ground[0]}"/><stop offset="1" stop-color="${ground[1]}"/></linearGradient></defs>
    <rect width="256" height="256" fill="url(#g)"/>
    ${behind ? hairShape : ''}
    <path d="M24 268c4-56 44-78 104-78s100 22 104 78z" fill="${shirt}"/>
    <path d="M104 160h48v36c-10 18-38 18-48 0z" fill="${skin}" opacity=".92"/>
    <path d="M104 172c14 14 34 14 48 0v14c-14 12-34 12-48 0z" opacity=".12"/>
    <ellipse cx="128" cy="120" rx="46" ry="56" fill="${skin}"/>
    ${behind ? `<path d="M82 104c4-34 24-46 46-46s42 12 46 46c-18-20-30-26-46-26s-28 6-46 26z" fill="${hair}"/>` : hairShape}
    <g fill="#2a211d"><circle cx="111" cy="122" r="4.5"/><circle cx="145" cy="122" r="4.5"/></g>
    <path d="M112 148c8 9 24 9 32 0" fill="none" stroke="#2a211d" stroke-width="4" stroke-linecap="round" opacity=".7"/>`,
  );
}

/** A coast at this time of the day, as SVG. */
export function coast(width: number, height: number, time: 'morning' | 'noon' | 'evening'): string {
  const [high, low, sun, sea] = {
    morning: ['#8fb4d9', '#fbe3c8', '#fff3d6', '#5d86a8'],
    noon: ['#4f93d2', '#cfe8f7', '#ffffff', '#2f7a9c'],
    evening: ['#3d3a6b', '#f0916a', '#ffd9a0', '#4a4574'],
  }[time] as [string, string, string, string];
  const hills = [0.52, 0.6, 0.72].map((top, index) => {
    const y = height * top;
    const bend = height * (0.06 + 0.03 * index);
    const path = `M0 ${y}C${width * 0.2} ${y - bend} ${width * 0.3} ${y + bend} ${width * 0.5} ${y}S${width * 0.85} ${y - bend} ${width} ${y + bend / 2}V${height}H0z`;
    return `<path d="${path}" fill="#17324a" opacity="${0.22 + index * 0.22}"/>`;
  });
  return drawn(
    width,
    height,
    `<defs><linearGradient id="s" x2="0" y2="1"><stop stop-color="${high}"/><stop offset=".6" stop-color="${low}"/><stop offset=".61" stop-color="${sea}"/><stop offset="1" stop-color="${sea}"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="url(#s)"/>
    <circle cx="${width * 0.7}" cy="${height * 0.36}" r="${height * 0.09}" fill="${sun}"/>${hills.join('')}`,
  );
}

/** A chart of tides: the forecast and what was measured, as SVG. */
export function tideChart(width: number, height: number): string {
  const level = (x: number, shift: number) =>
    height / 2 - Math.sin(x / 70 + shift) * height * 0.27 - Math.sin(x / 31) * height * 0.05;
  const line = (shift: number) =>
    Array.from({ length: Math.floor((width - 100) / 8) }, (_, step) => {
      const x = 60 + step * 8;
      return `${step === 0 ? 'M' : 'L'}${x} ${level(x, shift).toFixed(1)}`;
    }).join('');
  const rules = [0.2, 0.35, 0.5, 0.65, 0.8].map(
    (part) => `<path d="M60 ${height * part}H${width - 40}" stroke="#e3e6ec" stroke-width="2"/>`,
  );
  return drawn(
    width,
    height,
    `<rect width="${width}" height="${height}" fill="#fff"/>${rules.join('')}
    <path d="${line(0)}" fill="none" stroke="#3a50c2" stroke-width="5" stroke-linejoin="round"/>
    <path d="${line(0.18)}" fill="none" stroke="#e08a3c" stroke-width="5" stroke-dasharray="14 10" stroke-linejoin="round"/>
    <path d="M60 ${height * 0.1}V${height * 0.88}H${width - 40}" fill="none" stroke="#868a95" stroke-width="3"/>`,
  );
}

/** The sign of the organization: a wave. With `isRound` it is an emoji. */
export function wave(size: number, isRound = false): string {
  return drawn(
    size,
    size,
    `<svg viewBox="0 0 64 64" width="${size}" height="${size}"><rect width="64" height="64" rx="${isRound ? 32 : 0}" fill="#12606f"/>
    <path d="M4 38c8 0 8-10 16-10s8 10 16 10 8-10 16-10 8 6 12 8" fill="none" stroke="#fff" stroke-width="6" stroke-linecap="round"/>
    <path d="M4 50c8 0 8-8 16-8s8 8 16 8 8-8 16-8 8 6 12 8" fill="none" stroke="#8fd6d0" stroke-width="5" stroke-linecap="round"/></svg>`,
  );
}

function drawn(width: number, height: number, shapes: string): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${shapes}</svg>`;
}

/** Turns SVGs into PNGs. Another process does it, because the server forbids SVG in its own. */
export async function rendered<Name extends string>(
  svgs: Readonly<Record<Name, string>>,
): Promise<Readonly<Record<Name, Buffer>>> {
  const script = join(import.meta.dirname, 'render-pictures.ts');
  const running = promisify(execFile)(process.execPath, [script], { maxBuffer: 64 * 1024 * 1024 });
  running.child.stdin?.end(JSON.stringify(svgs));
  const { stdout } = await running;
  const encoded: [string, string][] = Object.entries(JSON.parse(stdout));
  return Object.fromEntries(encoded.map(([name, text]) => [name, Buffer.from(text, 'base64')])) as Record<Name, Buffer>;
}
