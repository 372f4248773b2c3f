import { ensureWebBuild } from '../../../scripts/web-build/ensure.ts';
import { borrowBrowser, WHOLE_CHROMIUM, withoutBrowser } from '../../../web/testing/chromium.ts';
import { type Row, type Run, summarize } from '../harness/result.ts';
import { median } from '../harness/statistics.ts';
import type { Benchmark, Settings } from './benchmark.ts';
import { type WebEffort, type WebFigures, WebMeasures } from './web-measures.ts';
import { openWebOrganization, type WebSizes } from './web-organization.ts';

const FULL: WebSizes = { people: 10_000, channels: 1_000, messages: 200_000, subscribed: 50 };
const SMALL: WebSizes = { people: 200, channels: 20, messages: 2_000, subscribed: 10 };

const FULL_EFFORT: WebEffort = {
  switches: 12,
  keys: 150,
  storing: 4_000,
  scrolled: 9_500,
  remembered: 20_000,
  days: 30,
};
const SMALL_EFFORT: WebEffort = { switches: 2, keys: 10, storing: 0, scrolled: 200, remembered: 0, days: 1 };

/** How many times slower the processor of the second rows is. */
const SLOWDOWN = 4;

/** Frames are painted when they are ready. Otherwise each measured time would contain a wait for the next refresh of the screen. */
export const BROWSER_FLAGS = ['--disable-frame-rate-limit', '--disable-gpu-vsync', '--enable-precise-memory-info'];

interface Measure {
  readonly name: string;
  readonly unit: string;
  /** The most that the goal allows, at normal speed and with the slow processor. Undefined: no goal. */
  readonly goal: readonly [number, number | undefined];
  /** The values of one run: the value that the goal is about comes from them. */
  readonly value: (figures: WebFigures) => number | undefined;
  readonly note?: (figures: WebFigures) => string | undefined;
}

const MEASURES: readonly Measure[] = [
  { name: 'first message, empty cache', unit: 'ms', goal: [800, 2_500], value: ({ first }) => first },
  { name: 'first message, reload', unit: 'ms', goal: [300, 1_000], value: ({ reload }) => reload },
  { name: 'first message, start without a network', unit: 'ms', goal: [500, 1_500], value: ({ offline }) => offline },
  { name: 'switch, cached', unit: 'ms', goal: [50, 150], value: ({ cached }) => median([...cached]) },
  { name: 'switch, not cached', unit: 'ms', goal: [150, 300], value: ({ uncached }) => median([...uncached]) },
  { name: 'key to glyph, p95', unit: 'ms', goal: [16, 50], value: ({ keys }) => percentile(keys, 0.95) },
  {
    name: 'longest task, scrolling',
    unit: 'ms',
    goal: [50, 100],
    // The browser reports tasks from 50 ms on.
    value: ({ longestTask }) => Math.max(50, longestTask),
  },
  { name: 'send to own echo', unit: 'ms', goal: [16, undefined], value: ({ ownEcho }) => median([...ownEcho]) },
  {
    name: 'send to another screen',
    unit: 'ms',
    goal: [100, undefined],
    value: ({ othersScreen }) => median([...othersScreen]),
  },
  { name: 'JavaScript, first view', unit: 'KB', goal: [250, 250], value: ({ scriptKilobytes }) => scriptKilobytes },
  {
    name: 'memory of the tab',
    unit: 'MB',
    goal: [150, undefined],
    value: ({ memory }) => memory?.tabMegabytes,
    note: ({ memory }) => memory && `${memory.heapMegabytes.toFixed(0)} MB of it are the heap of JavaScript`,
  },
  {
    name: 'store after a month',
    unit: 'MB',
    goal: [50, undefined],
    value: ({ month }) => month?.storeMegabytes,
    note: ({ month }) => month && `${month.conversations} conversations of ${month.archiveMegabytes.toFixed(1)} MB`,
  },
];

/** Measures what a person waits for in the web app. */
export const web: Benchmark = {
  name: 'web',
  about: 'the web app in Chromium, also with a slow processor',
  missing: withoutBrowser || undefined,
  async run(settings) {
    await ensureWebBuild();
    const effort = settings.quick ? SMALL_EFFORT : FULL_EFFORT;
    settings.progress('web: the organization');
    const site = await openWebOrganization(settings.quick ? SMALL : FULL, effort.switches + 1);
    const { browser, giveBack } = await borrowBrowser(BROWSER_FLAGS, WHOLE_CHROMIUM);
    try {
      const rows: Row[] = [];
      for (const slowdown of settings.quick ? [1] : [1, SLOWDOWN]) {
        const figures: WebFigures[] = [];
        for (let turn = 0; turn < settings.repeats; turn++) {
          settings.progress(`web: processor ${slowdown} × slower, run ${turn + 1}`);
          const wanted = slowdown === 1 ? effort : { ...effort, remembered: 0, days: 0 };
          await site.unread();
          figures.push(await new WebMeasures(browser, site, slowdown, wanted).run());
        }
        rows.push(...rowsOf(figures, slowdown, settings));
      }
      return rows;
    } finally {
      await giveBack();
      await site.close();
    }
  },
};

function rowsOf(figures: readonly WebFigures[], slowdown: number, { quick }: Pick<Settings, 'quick'>): Row[] {
  return MEASURES.flatMap(({ name, unit, goal, value, note }) => {
    const values = figures.map(value).filter((one) => one !== undefined);
    if (values.length === 0) return [];
    const runs = values.map((rate): Run => ({ rate, p50: null, p99: null }));
    const heddle = summarize(runs);
    const most = slowdown === 1 ? goal[0] : goal[1];
    const isJudged = !quick && most !== undefined && heddle.rate !== null;
    const notes = figures.flatMap((one) => note?.(one) ?? []);
    return {
      name: 'web',
      size: slowdown === 1 ? name : `${name}, ${slowdown} × slower`,
      unit,
      heddle,
      floor: null,
      ratio: null,
      goal: most === undefined ? '' : `≤ ${most} ${unit}`,
      met: isJudged && heddle.rate !== null ? heddle.rate.median <= most : null,
      notes,
    };
  });
}

/** @param share for example 0.95 */
function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
