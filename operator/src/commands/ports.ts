import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Config } from '@heddle/server/config.ts';
import { ListenError } from '@heddle/server/extension/listen-error.ts';
import { CommandError } from './command.ts';

type Place = Pick<Config, 'host' | 'port'>;

export const SERVER_ADVICE = 'Set HEDDLE_HOST or HEDDLE_PORT.';
export const METRICS_ADVICE = 'Set HEDDLE_METRICS_HOST or HEDDLE_METRICS_PORT.';
const GATEWAY_ADVICE = 'Set HEDDLE_MAIL_GATEWAY.';

/**
 * A first start must fail before it creates anything, because it prints the owner's password only once.
 * @returns the port of the server: that of the settings, or a free one if it is 0
 */
export async function checkPorts({ host, port, metricsHost, metricsPort, mailGateway }: Config): Promise<number> {
  const places: readonly (readonly [Place | null, string])[] = [
    [metricsPort === null ? null : { host: metricsHost, port: metricsPort }, METRICS_ADVICE],
    [mailGateway, GATEWAY_ADVICE],
  ];
  // All are open together, because two of them may be equal.
  await using open = new AsyncDisposableStack();
  const own = open.use(await listenAt({ host, port }, SERVER_ADVICE));
  for (const [place, advice] of places) {
    if (place !== null) open.use(await listenAt(place, advice));
  }
  return (own.address() as AddressInfo).port;
}

async function listenAt({ host, port }: Place, advice: string): Promise<Server> {
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening').catch((error: unknown) => {
    throw cannotListen({ host, port }, error, advice);
  });
  return server;
}

export function cannotListen(place: Place, error: unknown, advice: string): CommandError {
  return inWords(new ListenError(place, advice, error));
}

export function inWords({ message, cause }: ListenError): CommandError {
  return new CommandError(message, { cause });
}
