/** Which proxies the server trusts, and what it accepts from them. */
import type { IncomingMessage } from 'node:http';
import { compile } from '@fastify/proxy-addr';

/** `X-Forwarded-*` headers are trusted: never, always, those of this number of proxies, or those of these addresses. */
export type TrustedProxies = boolean | number | readonly string[];

/** Whether the proxy at the address is trusted. Hop 0 is the other end of the connection. */
export type ProxyTrust = (address: string, hop: number) => boolean;

/** Undefined: no proxy is trusted. */
export function proxyTrust(trust: TrustedProxies = false): ProxyTrust | undefined {
  if (trust === false || trust === 0) return undefined;
  if (trust === true) return () => true;
  return typeof trust === 'number' ? (_, hop) => hop < trust : compile([...trust]);
}

/** Long enough for ids of common proxies, such as UUIDs and traces. All characters are safe in a log and in a header. */
const REQUEST_ID = /^[\w.:;=+/-]{1,128}$/;

/** The id that a trusted proxy gave the request; undefined if there is none or if it is not valid. */
export function requestIdOf(request: IncomingMessage, trust: ProxyTrust | undefined): string | undefined {
  const id = request.headers['x-request-id'];
  if (trust === undefined || typeof id !== 'string' || !REQUEST_ID.test(id)) return undefined;
  return trust(request.socket.remoteAddress ?? '', 0) ? id : undefined;
}
