import type { Server } from './floor.ts';
import { logIn, owner, startHeddle } from './heddle-server.ts';
import { type Population, personEmail, populate } from './population.ts';
import { filledDirectory, removeScratch } from './scratch.ts';
import { call, callAll, type Login, textField } from './wire.ts';

/** A running Heddle server with users and channels. */
export interface Site {
  readonly server: Server;
  readonly dataDirectory: string;
  /** The credentials of the users with these numbers. */
  logins(numbers: readonly number[]): Promise<Login[]>;
  /** Restarts the server on the same data, with or without rate limits. */
  restart(limits?: 'limited' | 'unlimited'): Promise<void>;
  /** Kills the server and starts it again on the same data and address. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

/** 0, 1, … `count` − 1. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}

/** The subdomain of the copy of the organization with this number (`Population.organizations`). */
export function subdomainOf(number: number): string {
  return `idle${number + 1}`;
}

const TEMPLATE = 'template';
const AT_ONCE = 16;

/** Creates a data directory with that population. No server runs in it. The caller removes it with `removeScratch`. */
export async function populatedDirectory(population: Population): Promise<string> {
  const dataDirectory = await filledDirectory('data', firstStart);
  await populate(dataDirectory, population, TEMPLATE);
  return dataDirectory;
}

/** Creates the initial contents of all sites. */
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

/** Opens a new site. In a quick run it opens the shared site if the population allows it. */
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

/** In the shared site all users are subscribed to all channels. */
const COMMON: Population = { people: 200, channels: upTo(20).map(() => ({ first: 0, count: 200 })) };

/** Opens or returns the shared site. Undefined if each benchmark has a separate site. */
let common: (() => Promise<Site>) | undefined;

/** Makes benchmarks share a site if possible, for quick runs without meaningful results. Returns a function that closes it. */
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
