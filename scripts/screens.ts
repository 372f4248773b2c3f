/**
 * Renders every view of the app at three widths, light and dark, into `screens/`, with an index. Git ignores that folder. `docs/screens/` has
 * the few pictures that the documents show. The server, the browser and the organization are those of the browser tests.
 */
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { makeScratch, removeScratch } from '@heddle/server/testing/database/scratch.ts';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { BrowserWorld } from '../web/testing/browser-world.ts';
import { settle, Viewer } from '../web/testing/views/open-view.ts';
import { type SampleOrganization, sampleOrganization } from '../web/testing/views/sample-organization.ts';
import type { Device, View } from '../web/testing/views/view.ts';
import { VIEW_AREAS, VIEWS } from '../web/testing/views/views.ts';

const root = join(import.meta.dirname, '..');
const ALL = join(root, 'screens');
const IN_DOCUMENTS = join(root, 'docs', 'screens');

/** The pictures in `docs/screens/`. They are in the repository, so they are few: at most twelve. */
const DOCUMENTED: ReadonlySet<string> = new Set(['topic-1440-light.webp', 'inbox-390-dark.webp']);

/** The width of the window, and of its picture. `--png` keeps the whole size. */
const DEVICES: Readonly<Record<Device, { readonly width: number; readonly pictureWidth: number }>> = {
  desktop: { width: 1440, pictureWidth: 640 },
  tablet: { width: 820, pictureWidth: 380 },
  phone: { width: 390, pictureWidth: 300 },
};
type Theme = 'light' | 'dark';
const THEMES: readonly Theme[] = ['light', 'dark'];

const usage = `Usage: npm run screens -- [options] [part of a view's name]…

Renders every view of the app into screens/, or only those whose names contain a part.

  --documents      render the pictures of the documents into docs/screens/ instead
  --png=DIRECTORY  write lossless pictures there instead
  --german         show the app in German
  --desktop, --tablet, --phone, --light, --dark
                   only these`;

interface Options {
  readonly isForDocuments: boolean;
  /** Where lossless pictures go. */
  readonly png: string | undefined;
  readonly locale: string;
  readonly filters: readonly string[];
  readonly devices: readonly Device[];
  readonly themes: readonly Theme[];
}

function optionsOf(args: readonly string[]): Options | undefined {
  let isForDocuments = false;
  let png: string | undefined;
  let locale = 'en-GB';
  const filters: string[] = [];
  const devices: Device[] = [];
  const themes: Theme[] = [];
  for (const arg of args) {
    const name = arg.slice(2);
    if (arg.startsWith('--png=')) png = arg.slice('--png='.length);
    else if (arg === '--documents') isForDocuments = true;
    else if (arg === '--german') locale = 'de-DE';
    else if (!arg.startsWith('-')) filters.push(arg);
    else if (name in DEVICES) devices.push(name as Device);
    else if (THEMES.includes(name as Theme)) themes.push(name as Theme);
    else return undefined;
  }
  return {
    isForDocuments,
    png,
    locale,
    filters,
    devices: devices.length > 0 ? devices : (Object.keys(DEVICES) as Device[]),
    themes: themes.length > 0 ? themes : THEMES,
  };
}

/** A time zone in which it is the middle of the afternoon, so that all messages of today are from today. */
function afternoon(): string {
  const offset = 15 - new Date().getUTCHours();
  const near = offset > 12 ? offset - 24 : offset;
  // The signs of these names are reversed.
  return near === 0 ? 'Etc/GMT' : `Etc/GMT${near > 0 ? '-' : '+'}${Math.abs(near)}`;
}

async function speakGerman({ people, newcomer }: SampleOrganization): Promise<void> {
  for (const { client } of [...Object.values(people), newcomer]) {
    await client.ok('PATCH', '/settings', { default_language: 'de', twenty_four_hour_time: true });
  }
}

/** Takes the pictures of all views on one device. Returns how many views failed. */
async function render(
  world: BrowserWorld,
  sample: SampleOrganization,
  device: Device,
  views: readonly View[],
  options: Options,
): Promise<number> {
  const viewer = new Viewer(world, sample, device, { locale: options.locale, timezone: afternoon() });
  let failures = 0;
  for (const view of views) {
    try {
      await viewer.show(view, async (page) => {
        for (const theme of options.themes) {
          if (options.isForDocuments && !DOCUMENTED.has(fileOf(view.name, device, theme))) continue;
          await page.emulateMedia({ colorScheme: theme });
          await settle(page, view);
          await save(page, view, device, theme, options);
        }
      });
      process.stdout.write(`${device} ${view.name}\n`);
    } catch (error) {
      failures += 1;
      process.stdout.write(`${device} ${view.name} FAILED: ${error}\n`);
    }
  }
  return failures;
}

async function save(page: Page, { name }: View, device: Device, theme: string, options: Options): Promise<void> {
  const { png } = options;
  const { width, pictureWidth } = DEVICES[device];
  const picture = await page.screenshot({ caret: 'hide' });
  if (png !== undefined) return writeFile(join(png, `${name}-${width}-${theme}.png`), picture);
  const small = sharp(picture).resize({ width: pictureWidth, kernel: 'lanczos3' });
  const compressed = await small.webp({ quality: 45, effort: 6, smartSubsample: true }).toBuffer();
  await writeFile(join(directoryOf(options), fileOf(name, device, theme)), compressed);
}

function directoryOf({ png, isForDocuments }: Options): string {
  return png ?? (isForDocuments ? IN_DOCUMENTS : ALL);
}

function fileOf(name: string, device: Device, theme: string): string {
  return `${name}-${DEVICES[device].width}-${theme}.webp`;
}

/** The page that shows all pictures. */
function index(): string {
  const picture = ({ name, title }: View, device: Device, theme: string) => {
    const file = fileOf(name, device, theme);
    const width = { desktop: 320, tablet: 140, phone: 94 }[device];
    return `<a href="${file}"><img src="${file}" width="${width}" alt="${title} (${DEVICES[device].width} px, ${theme})"></a>`;
  };
  const row = (view: View) => {
    const cells = (['desktop', 'tablet', 'phone'] as const).flatMap((device) =>
      THEMES.map((theme) => picture(view, device, theme)),
    );
    return `| ${view.title} | ${cells.join(' | ')} |`;
  };
  const areas = Object.entries(VIEW_AREAS).map(
    ([title, views]) =>
      `## ${title}\n\n| view | 1440 px | | 820 px | | 390 px | |\n|---|---|---|---|---|---|---|\n${views.map(row).join('\n')}\n`,
  );
  return `# Screens

\`npm run screens\` renders every view of the app with a real server and a sample organization, and writes this page. The app uses the fonts of
the system. These pictures show Inter and Noto Color Emoji.

${areas.join('\n')}`;
}

/** Deletes pictures of views that exist no more. */
async function tidy(): Promise<void> {
  const known = new Set(
    VIEWS.flatMap(({ name }) =>
      (Object.keys(DEVICES) as Device[]).flatMap((device) => THEMES.map((theme) => fileOf(name, device, theme))),
    ),
  );
  for (const file of await readdir(ALL)) {
    if (file.endsWith('.webp') && !known.has(file)) await rm(join(ALL, file));
  }
}

/** The selected views. Undefined if there is none. */
function viewsOf({ filters, isForDocuments }: Options): readonly View[] | undefined {
  const isShown = ({ name }: View) => [...DOCUMENTED].some((file) => file.startsWith(`${name}-`));
  const views = VIEWS.filter(
    (view) =>
      (filters.length === 0 || filters.some((part) => view.name.includes(part))) && (!isForDocuments || isShown(view)),
  );
  return views.length > 0 ? views : undefined;
}

async function main(args: readonly string[]): Promise<number> {
  const options = optionsOf(args);
  const views = options && viewsOf(options);
  if (options === undefined || views === undefined) {
    process.stderr.write(`${usage}\n`);
    return 2;
  }
  await mkdir(directoryOf(options), { recursive: true });
  const scratch = makeScratch();
  process.env.TMPDIR = scratch;
  const world = new BrowserWorld({});
  let failures = 0;
  try {
    await world.start();
    const sample = await sampleOrganization(world);
    if (options.locale.startsWith('de')) await speakGerman(sample);
    for (const device of options.devices) failures += await render(world, sample, device, views, options);
  } finally {
    await world.stop();
    removeScratch(scratch);
  }
  if (options.png === undefined && !options.isForDocuments) {
    await writeFile(join(ALL, 'README.md'), index());
    await tidy();
    process.stdout.write(`${relative(root, ALL)}/README.md shows all pictures\n`);
  }
  return failures === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
