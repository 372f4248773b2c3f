/** A proxy between the pages and the server, with which a test loses, delays and replaces responses, and kills the server. */
import assert from 'node:assert/strict';
import { type HttpProxy, startHttpProxy } from '@heddle/server/testing/faults/http-proxy.ts';
import { KillableServer } from '@heddle/server/testing/faults/killable-server.ts';
import type { TestServer } from '@heddle/server/testing/server/server.ts';
import type { Front } from './browser-world.ts';

/** What a test does with the connection of its pages. */
export interface FaultyFront {
  /** Give this to `browserWorld`. */
  readonly start: (server: TestServer, environment: Readonly<Record<string, string>>) => Promise<Front>;
  /** Its address stays the same when the server restarts. */
  readonly proxy: HttpProxy;
  /** Kills the server of the pages (kill -9). Then they reach nothing, but the test still reaches its own server. */
  kill(): Promise<void>;
  /** Starts the server of the pages again, on the same data. */
  restart(): Promise<void>;
}

export interface FaultyFrontOptions {
  /**
   * Whether the pages have a server process of their own that `kill` ends. It shares the database with the server of the
   * test.
   */
  readonly isKillable?: boolean;
}

export function faultyFront({ isKillable = false }: FaultyFrontOptions = {}): FaultyFront {
  let proxy: HttpProxy | undefined;
  let killable: KillableServer | undefined;
  return {
    get proxy() {
      assert(proxy !== undefined, 'the proxy has not started');
      return proxy;
    },
    async start(server, environment) {
      const { url, dataDirectory } = server.shared;
      if (isKillable) {
        killable = new KillableServer(dataDirectory, {
          HEDDLE_DATABASE_URL: url,
          HEDDLE_RATE_LIMITS: 'off',
          HEDDLE_LOG_LEVEL: 'error',
          ...environment,
        });
      }
      proxy = await startHttpProxy((await killable?.listening)?.url ?? server.url);
      return {
        url: proxy.url,
        async close() {
          await killable?.end();
          await proxy?.close();
        },
      };
    },
    async kill() {
      assert(killable !== undefined, 'the pages have no server of their own');
      await killable.kill();
    },
    async restart() {
      assert(killable !== undefined, 'the pages have no server of their own');
      const { url } = await killable.restart();
      if (proxy !== undefined) proxy.target = url;
    },
  };
}
