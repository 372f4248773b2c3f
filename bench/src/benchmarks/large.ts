import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureWebBuild } from '../../../scripts/web-build/ensure.ts';
import { borrowBrowser, WHOLE_CHROMIUM, withoutBrowser } from '../../../web/testing/chromium.ts';
import type { Server } from '../harness/floor.ts';
import { runLoad } from '../harness/generator.ts';
import { HttpConnection } from '../harness/http-connection.ts';
import { channelName, PLAIN_PEOPLE } from '../harness/population.ts';
import { type Row, type Run, summarize } from '../harness/result.ts';
import { openSite, type Site, upTo } from '../harness/site.ts';
import { median } from '../harness/statistics.ts';
import { type Call, call, type Login, requestBytes } from '../harness/wire.ts';
import { type Benchmark, inTurn, type Settings, sizesOf } from './benchmark.ts';
import { registration } from './register.ts';
import { BROWSER_FLAGS } from './web.ts';
import { WebMeasures } from './web-measures.ts';
import { givePasswords, serveWebOrganization } from './web-organization.ts';

const JUDGED = 100_000;
const PEOPLE_A_CHANNEL = 20;
/** One channel has everybody. The others make a million subscriptions of a hundred thousand people. */
const SUBSCRIBERS = 180;
const RETURNING = 500;
const SENDERS = 16;

const LOAD_GOAL_SECONDS = 10;
const MEMORY_GOAL_MB = 600;
const REGISTER_GOAL_MS = 500;
const RESPONSE_GOAL_MB = 3;
const SENDS_GOAL = 0.5;
const WEB_GOAL_MS = 1_200;

/** What the clients of a large organization meet after a restart. */
export const large: Benchmark = {
  name: 'large',
  about: 'the start, registrations and sends of a large organization; size: people, a twentieth as many channels',
  run: (settings) =>
    inTurn(sizesOf(settings, [JUDGED], [2_000]), (size) => measureSize(size, settings)).then((rows) => rows.flat()),
};

async function measureSize(people: number, settings: Settings): Promise<Row[]> {
  settings.progress(`large: ${people} people`);
  const channels = upTo(people / PEOPLE_A_CHANNEL).map((index) =>
    index === 0 ? { first: 0, count: people } : { first: (index * PEOPLE_A_CHANNEL) % people, count: SUBSCRIBERS },
  );
  const messages = { count: 4 * channels.length, topics: 1, unread: [0] };
  const site = await openSite({ people, channels, varied: true, messages });
  try {
    const logins = await site.logins(upTo(Math.min(settings.quick ? 20 : RETURNING, PLAIN_PEOPLE)));
    const judged = people === JUDGED;
    // A process loads organizations with event queues.
    await call(site.server.address, registration(first(logins)));
    const loads: Loaded[] = [];
    const registered = new Map<Client, Registered[]>(CLIENTS.map((client) => [client, []]));
    const returned: Returned[] = [];
    for (let turn = 0; turn < settings.repeats; turn += 1) {
      loads.push(await restart(site, settings));
      for (const [client, runs] of registered) runs.push(await registerOnce(site.server, first(logins), client));
      returned.push(await returning(site.server, logins, settings));
    }
    return [
      ...rowsOfLoad(people, loads, judged),
      ...[...registered].flatMap(([client, runs]) => rowsOfRegister(people, client, runs, judged)),
      rowOfReturn(people, returned, judged),
      ...(withoutBrowser ? [] : [await measureWeb(people, site, settings, judged)]),
    ];
  } finally {
    await site.close();
  }
}

/** The clients whose registrations are measured. Phone apps do not know the capability of the web app. */
const CLIENTS = ['web app, zstd', 'web app, gzip', 'other client, gzip'] as const;
type Client = (typeof CLIENTS)[number];

function registrationOf(client: Client, login: Login): Call {
  const acceptEncoding = client.endsWith('zstd') ? 'zstd' : 'gzip';
  return { ...registration(login, client.startsWith('web app') ? WEB_APP : {}), acceptEncoding };
}

const WEB_APP = { user_list_incomplete: true, brief_users: true };

function first(logins: readonly Login[]): Login {
  const [login] = logins;
  if (login === undefined) throw new Error('there is no user to register');
  return login;
}

interface Loaded {
  readonly seconds: number;
  readonly peakMegabytes: number;
}

/** How often the harness asks whether the server is ready, in milliseconds. */
const ASK_EVERY_MS = 50;
const MAX_ASKS = 2_000;

/** Seconds from listening until ready, and the most memory of the process until then. */
async function restart(site: Site, settings: Settings): Promise<Loaded> {
  settings.progress('large: restart');
  await site.restart();
  const begunAt = performance.now();
  await untilReady(site.server);
  const seconds = (performance.now() - begunAt) / 1000;
  return { seconds, peakMegabytes: await peakMegabytes(site.server.program.pid) };
}

async function untilReady({ address: { host, port } }: Server): Promise<void> {
  for (let asks = 0; asks < MAX_ASKS; asks += 1) {
    const { status } = await fetch(`http://${host}:${port}/health/ready`);
    if (status === 200) return;
    await delay(ASK_EVERY_MS);
  }
  throw new Error('the server does not become ready');
}

/** The server of the site is stopped for it. */
async function measureWeb(people: number, site: Site, settings: Settings, judged: boolean): Promise<Row> {
  settings.progress('large: the web app');
  await ensureWebBuild();
  await site.server.program.stop();
  await givePasswords(site.dataDirectory);
  const organization = await serveWebOrganization(site.dataDirectory, 1);
  const { browser, giveBack } = await borrowBrowser(BROWSER_FLAGS, WHOLE_CHROMIUM);
  try {
    await untilReady(organization.server);
    const runs: Run[] = [];
    const measures = new WebMeasures(browser, organization, 1, NO_EFFORT);
    for (let turn = 0; turn < settings.repeats; turn += 1) runs.push(only(await measures.first()));
    const size = `${people} people: first message of the web app`;
    return rowOf({ size, unit: 'ms', runs, most: WEB_GOAL_MS, judged, notes: ['with an empty cache'] });
  } finally {
    await giveBack();
    await organization.close();
  }
}

const NO_EFFORT = { switches: 0, keys: 0, storing: 0, scrolled: 0, remembered: 0, days: 0 };

/** From `/proc` (Linux only). */
async function peakMegabytes(pid: number): Promise<number> {
  const match = /^VmHWM:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'));
  if (match === null) throw new Error(`there is no VmHWM of process ${pid}`);
  return Number(match[1]) / 1024;
}

interface Registered {
  readonly milliseconds: number;
  readonly bytes: number;
}

/** The first client of its kind after the start. */
async function registerOnce(server: Server, login: Login, client: Client): Promise<Registered> {
  const connection = new HttpConnection(server.address);
  try {
    const request = requestBytes(server.address, registrationOf(client, login));
    const begunAt = performance.now();
    const { status, body, bodyBytes } = await connection.request(request);
    if (status !== 200) throw new Error(`POST /register: ${status} ${body.toString().slice(0, 300)}`);
    return { milliseconds: performance.now() - begunAt, bytes: bodyBytes };
  } finally {
    connection.close();
  }
}

interface Returned {
  readonly sendsAlone: number;
  readonly sendsBeside: number;
  readonly allAfter: number;
  readonly p50: number;
  readonly p99: number;
  readonly refused: number;
  readonly peakMegabytes: number;
}

async function returning(server: Server, logins: readonly Login[], settings: Settings): Promise<Returned> {
  settings.progress(`large: ${logins.length} clients register beside sends`);
  const { address } = server;
  const result = await runLoad('returnOfAll', {
    address,
    registrations: logins.map((login) => requestBytes(address, registrationOf('web app, zstd', login))),
    sends: logins.slice(0, SENDERS).map((login) => messagesOf(login).map((each) => requestBytes(address, each))),
    warmUp: settings.quick ? 0.1 : 2,
    alone: settings.quick ? 0.2 : 5,
    patience: 300,
  });
  return { ...result, peakMegabytes: await peakMegabytes(server.program.pid) };
}

function messagesOf(login: Login): Call[] {
  return upTo(5).map((topic) => ({
    method: 'POST',
    path: '/messages',
    login,
    parameters: {
      type: 'channel',
      to: channelName(0),
      topic: `topic ${topic}`,
      content: 'The loom is up. '.repeat(12),
    },
  }));
}

const only = (rate: number): Run => ({ rate, p50: null, p99: null });

interface Judgement {
  readonly size: string;
  readonly unit: string;
  readonly runs: readonly Run[];
  readonly most: number;
  readonly judged: boolean;
  readonly notes?: readonly string[];
}

/** A value that must not exceed its goal. */
function rowOf({ size, unit, runs, most, judged, notes = [] }: Judgement): Row {
  const heddle = summarize(runs);
  const met = judged && heddle.rate !== null ? heddle.rate.median <= most : null;
  const goal = judged ? `≤ ${most} ${unit}` : '';
  return { name: 'large', size, unit, heddle, floor: null, ratio: null, goal, met, notes };
}

function rowsOfLoad(people: number, loads: readonly Loaded[], judged: boolean): Row[] {
  const size = `${people} people: ready`;
  return [
    rowOf({ size, unit: 's', runs: loads.map(({ seconds }) => only(seconds)), most: LOAD_GOAL_SECONDS, judged }),
    rowOf({
      size: `${size}, peak memory`,
      unit: 'MB',
      runs: loads.map((one) => only(one.peakMegabytes)),
      most: MEMORY_GOAL_MB,
      judged,
    }),
  ];
}

function rowsOfRegister(people: number, client: Client, runs: readonly Registered[], judged: boolean): Row[] {
  const size = `${people} people: register, ${client}`;
  return [
    rowOf({
      size,
      unit: 'ms',
      runs: runs.map(({ milliseconds }) => only(milliseconds)),
      most: REGISTER_GOAL_MS,
      judged,
      notes: ['the first client of its kind after the start'],
    }),
    rowOf({
      size: `${size}, response`,
      unit: 'MB',
      runs: runs.map(({ bytes }) => only(bytes / 1e6)),
      most: RESPONSE_GOAL_MB,
      judged,
    }),
  ];
}

function rowOfReturn(people: number, runs: readonly Returned[], judged: boolean): Row {
  const heddle = summarize(runs.map(({ sendsBeside, p50, p99 }) => ({ rate: sendsBeside, p50, p99 })));
  const floor = summarize(runs.map(({ sendsAlone }) => only(sendsAlone)));
  const ratio = median(runs.map(({ sendsBeside, sendsAlone }) => sendsBeside / sendsAlone));
  const middle = (value: (run: Returned) => number) => median(runs.map(value));
  return {
    name: 'large',
    size: `${people} people: sends beside registrations`,
    unit: 'sends/s',
    heddle,
    floor,
    ratio,
    goal: judged ? `≥ ${SENDS_GOAL}` : '',
    met: judged ? ratio >= SENDS_GOAL : null,
    notes: [
      `the floor is sends alone; p50 and p99 are those of the registrations; all are registered after ` +
        `${middle((run) => run.allAfter).toFixed(1)} s, ${middle((run) => run.refused)} were told to return later; ` +
        `the most memory was ${middle((run) => run.peakMegabytes).toFixed(0)} MB`,
    ],
  };
}
