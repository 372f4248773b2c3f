import type { Server } from './floor.ts';
import { logIn, owner, startHeddle } from './heddle-server.ts';
import { type Population, personEmail, populate } from './population.ts';
import { filledDirectory, removeScratch } from './scratch.ts';
import { call, callAll, type Login, textField } from './wire.ts';

/** A Heddle with people and channels in it, running. */
export interface Site {
  readonly server: Server;
  readonly dataDirectory: string;
  /** Credentials of the people with these numbers. */
  logins(numbers: readonly number[]): Promise<Login[]>;
  /** Stops the server and starts it again on the same data, with or without rate limits. */
  restart(limits?: 'limited' | 'unlimited'): Promise<void>;
  /** Kills the server, and starts it again at the same address on the same data. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

/** 0, 1, … `count` − 1. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

const TEMPLATE = 'template';
const AT_ONCE = 16;

/** Makes a data directory with that population, stopped. The caller removes it with `removeScratch`. */
export async function populatedDirectory(population: Population): Promise<string> {
  const dataDirectory = await filledDirectory('data', firstStart);
  await populate(dataDirectory, population, TEMPLATE);
  return dataDirectory;
}

/** Leaves what all sites begin with. */
async function firstStart(dataDirectory: string): Promise<void> {
  const first = await startHeddle({ dataDirectory });
  const login = await logIn(first, owner.email);
  const parameters = { subscriptions: JSON.stringify([{ name: TEMPLATE }]) };
  await call(first.address, { method: 'POST', path: '/users/me/subscriptions', login, parameters });
  await first.program.stop();
}

interface SiteOptions {
  readonly inspected?: boolean;
}

/** Opens a site of one's own; in a trial the common one, where that will do. */
export async function openSite(population: Population, options: SiteOptions = {}): Promise<Site> {
  const isCommon = options.inspected !== true && isWithin(population, COMMON);
  if (common === undefined || !isCommon) return openOwnSite(population, options);
  const site = await common();
  const { dataDirectory, logins, restart, crash } = site;
  return {
    get server() {
      return site.server;
    },
    dataDirectory,
    logins,
    restart,
    crash,
    close: async () => {},
  };
}

/** Everybody is subscribed to everything. */
const COMMON: Population = { people: 200, channels: upTo(20).map(() => ({ first: 0, count: 200 })) };

/** Opens the common site, or answers the one that is open; undefined where every benchmark has its own. */
let common: (() => Promise<Site>) | undefined;

/** From now on benchmarks share a site where they can, for figures that nobody looks at. Answers what closes it. */
export function shareSites(): () => Promise<void> {
  let opened: Promise<Site> | undefined;
  common = () => {
    opened ??= openOwnSite(COMMON, {});
    return opened;
  };
  return async () => {
    common = undefined;
    await (await opened)?.close();
  };
}

function isWithin({ people, channels, messages }: Population, other: Population): boolean {
  return messages === undefined && people <= other.people && channels.length <= other.channels.length;
}

async function openOwnSite(population: Population, options: SiteOptions): Promise<Site> {
  const dataDirectory = await populatedDirectory(population);
  let server = await startHeddle({ dataDirectory, ...options });
  return {
    get server() {
      return server;
    },
    dataDirectory,
    async logins(numbers) {
      const calls = numbers.map((number) => ({
        method: 'POST' as const,
        path: '/dev_fetch_api_key',
        parameters: { username: personEmail(number) },
      }));
      const answers = await callAll(server.address, calls, AT_ONCE);
      return answers.map((answer, index) => ({
        email: personEmail(numbers[index] ?? -1),
        apiKey: textField(answer, 'api_key'),
      }));
    },
    async restart(limits = 'unlimited') {
      await server.program.stop();
      server = await startHeddle({ dataDirectory, ...options, limited: limits === 'limited' });
    },
    async crash() {
      await server.program.kill();
      server = await startHeddle({ dataDirectory, ...options, port: server.address.port });
    },
    async close() {
      await server.program.stop();
      await removeScratch(dataDirectory);
    },
  };
}
