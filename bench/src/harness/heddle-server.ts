import { addressIn, type Server } from './floor.ts';
import { profiling, startProgram } from './programs.ts';
import { call, type Login, textField } from './wire.ts';

export const owner = { email: 'owner@bench.invalid', password: 'a shuttle flies through the shed' };

export interface ServeOptions {
  readonly dataDirectory: string;
  /** Allows the harness to measure the heap (see `memory.ts`). */
  readonly inspected?: boolean;
  /** The default is a free port. */
  readonly port?: number;
  /** Enables the default rate limits. */
  readonly limited?: boolean;
  /** Additional settings. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The command of `npm start` with the settings of a benchmark: a free port, no rate limits, and API keys without passwords. */
export function serveEnvironment(dataDirectory: string): Record<string, string> {
  return {
    HEDDLE_HOST: '127.0.0.1',
    HEDDLE_PORT: '0',
    HEDDLE_DATA_DIR: dataDirectory,
    HEDDLE_WORKERS: '1',
    HEDDLE_RATE_LIMITS: 'off',
    HEDDLE_DEV_LOGIN: '1',
    HEDDLE_OWNER_EMAIL: owner.email,
    HEDDLE_OWNER_PASSWORD: owner.password,
    HEDDLE_OWNER_NAME: 'Owner',
    HEDDLE_ORGANIZATION_NAME: 'Bench',
  };
}

export const listening = /^Heddle is listening on http:\/\/([\w.]+):(\d+)/;

/** Starts Heddle on a data directory, which can be empty, and waits until it listens. */
export async function startHeddle(options: ServeOptions): Promise<Server> {
  const { dataDirectory, inspected = false, port = 0, limited = false } = options;
  const environment = {
    ...serveEnvironment(dataDirectory),
    HEDDLE_PORT: String(port),
    HEDDLE_RATE_LIMITS: limited ? 'on' : 'off',
    ...options.environment,
  };
  const program = await startProgram({
    command: 'scripts/node',
    arguments: [
      ...(inspected ? ['--inspect=127.0.0.1:0'] : []),
      ...profiling('heddle'),
      'operator/src/main.ts',
      'serve',
    ],
    environment,
    ready: listening,
  });
  return { address: addressIn(program.ready), program };
}

/** The credentials of an account, from the endpoint for development. */
export async function logIn(server: Server, email: string): Promise<Login> {
  const parameters = { username: email };
  const answer = await call(server.address, { method: 'POST', path: '/dev_fetch_api_key', parameters });
  return { email, apiKey: textField(answer, 'api_key') };
}
