import type { Server } from './floor.ts';
import { logIn, owner, startHeddle } from './heddle-server.ts';
import { type Population, personEmail, populate } from './population.ts';
import { removeScratch, scratchDirectory } from './scratch.ts';
import { call, callAll, type Login, textField } from './wire.ts';

/** A Heddle with people and channels in it, running. */
export interface Site {
  readonly server: Server;
  /** Credentials of the people with these numbers. */
  logins(numbers: readonly number[]): Promise<Login[]>;
  /** Stops the server and starts it again on the same data, with or without rate limits. */
  restart(limits?: 'limited' | 'unlimited'): Promise<void>;
  /** Kills the server, and starts it again at the same address on the same data. */
  crash(): Promise<void>;
  close(): Promise<void>;
}

const TEMPLATE = 'template';
const AT_ONCE = 16;

/** Makes a data directory with that population, stopped. The caller removes it with `removeScratch`. */
export async function populatedDirectory(population: Population): Promise<string> {
  const dataDirectory = await scratchDirectory('data');
  const first = await startHeddle({ dataDirectory });
  const login = await logIn(first, owner.email);
  const parameters = { subscriptions: JSON.stringify([{ name: TEMPLATE }]) };
  await call(first.address, { method: 'POST', path: '/users/me/subscriptions', login, parameters });
  await first.program.stop();
  await populate(dataDirectory, population, TEMPLATE);
  return dataDirectory;
}

export async function openSite(population: Population, options: { inspected?: boolean } = {}): Promise<Site> {
  const dataDirectory = await populatedDirectory(population);
  let server = await startHeddle({ dataDirectory, ...options });
  return {
    get server() {
      return server;
    },
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

/** 0, 1, … `count` − 1. */
export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
