/** One request to a server whose address a user has chosen. */
import { type IncomingMessage, request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import { isIP } from 'node:net';
import { ForbiddenAddressError, isWebPort, type Networks, type Resolve } from './networks.ts';

/** Which servers a request can reach. */
export interface Reach {
  readonly networks: Networks;
  readonly resolve: Resolve;
}

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  /** Of `http:` or `https:`. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: Buffer;
  /** Ends the request and the response, wherever they are. */
  readonly signal: AbortSignal;
}

/**
 * Sends the request and returns the response, whose body is still to be read. A redirect is a response like any other.
 * @throws ForbiddenAddressError before anything is sent; the system's error where the connection fails
 */
export function sendOutbound({ networks, resolve }: Reach, request: OutboundRequest): Promise<IncomingMessage> {
  const { method, url, headers, body, signal } = request;
  const isEncrypted = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (isEncrypted ? 443 : 80);
  if (!isWebPort(port) || (isIP(host) !== 0 && !networks.allows(host))) throw new ForbiddenAddressError();
  const answered = Promise.withResolvers<IncomingMessage>();
  const sent = (isEncrypted ? overHttps : overHttp)(url, {
    method,
    headers,
    // A connection of its own, whose address was checked for this request.
    agent: false,
    lookup: networks.lookup(resolve),
    signal,
  });
  sent.on('response', answered.resolve);
  sent.on('error', answered.reject);
  // Where a server switches to another protocol (101), Node.js closes the connection with neither event, also after the timeout.
  sent.on('close', () => answered.reject(new Error('the connection closed without a response')));
  sent.end(body);
  return answered.promise;
}
