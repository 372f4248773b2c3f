import type { Address } from '../harness/http-connection.ts';
import { upTo } from '../harness/site.ts';
import { type Call, type Login, requestBytes } from '../harness/wire.ts';
import type { Attack } from '../loads/attack.ts';

/** The objects of the organization that an attacker knows. */
export interface Scene {
  readonly address: Address;
  readonly attacker: Login;
  readonly userIds: readonly number[];
  /** The channel with all users and all messages. */
  readonly channelId: number;
  readonly newestMessage: number;
  /** A message of the attacker in that channel. */
  readonly ownMessage: number;
  /** Messages in that channel. The last one is long. */
  readonly messages: number;
}

/** Connections of one attacker. */
const AT_ONCE = 8;

/** The bytes of the attacker's requests. Parameters that are not strings become JSON. */
export function callsOf({ address, attacker }: Scene) {
  return (method: Call['method'], path: string, parameters: Readonly<Record<string, unknown>> = {}): string => {
    const texts = Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
    return requestBytes(address, { method, path, login: attacker, parameters: Object.fromEntries(texts) });
  };
}

/** The same request on all connections. */
export function ask(...requests: readonly string[]): Attack {
  return { how: 'ask', requests: upTo(AT_ONCE).map(() => requests) };
}
