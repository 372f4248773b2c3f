/** One request to a server whose address a user has chosen. */
import { Agent as HttpAgent, type IncomingMessage, request as overHttp } from 'node:http';
import { Agent as HttpsAgent, request as overHttps } from 'node:https';
import { isIP } from 'node:net';
import { ForbiddenAddressError, isWebPort, type Networks, type Resolve } from './networks.ts';

/**
 * Interim responses (1xx) before the response. Our requests ask for none, and each costs the event loop time. Without a limit, a server could
 * send a million per second.
 */
const MAX_INTERIM_RESPONSES = 10;

/** Which servers a request can reach. */
export interface Reach {
  readonly networks: Networks;
  readonly resolve: Resolve;
}

/** Connections that several requests share for a short time. The address of each was checked when it opened. */
export class Connections {
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https = new HttpsAgent({ keepAlive: true });

  of(isEncrypted: boolean): HttpAgent {
    return isEncrypted ? this.#https : this.#http;
  }

  /** Closes all, also those with a request. */
  end(): void {
    this.#http.destroy();
    this.#https.destroy();
  }
}

export interface OutboundRequest {
  readonly method: 'GET' | 'POST';
  /** Of `http:` or `https:`. */
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body?: Buffer;
  /** Ends the request and the response, wherever they are. */
  readonly signal: AbortSignal;
  /** Default: a connection of its own. A shared one is free again when the response has been read to its end. */
  readonly connections?: Connections | undefined;
}

/**
 * Sends the request and returns the response, whose body is still to be read. A redirect is a response like any other.
 * @throws ForbiddenAddressError before anything is sent; the system's error where the connection fails
 */
export function sendOutbound({ networks, resolve }: Reach, request: OutboundRequest): Promise<IncomingMessage> {
  const { method, url, headers, body, signal, connections } = request;
  const isEncrypted = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (isEncrypted ? 443 : 80);
  if (!isWebPort(port) || (isIP(host) !== 0 && !networks.allows(host))) throw new ForbiddenAddressError();
  const answered = Promise.withResolvers<IncomingMessage>();
  const sent = (isEncrypted ? overHttps : overHttp)(url, {
    method,
    headers,
    // The pool of the process has connections whose address was not checked.
    agent: connections?.of(isEncrypted) ?? false,
    lookup: networks.lookup(resolve),
    signal,
  });
  sent.on('response', answered.resolve);
  let interim = 0;
  sent.on('information', () => {
    interim += 1;
    if (interim <= MAX_INTERIM_RESPONSES) return;
    // The parser can still have the response.
    answered.reject(new Error('the server sends too many interim responses'));
    sent.destroy();
  });
  sent.on('error', answered.reject);
  // Where a server switches to another protocol (101), Node.js closes the connection with neither event, also after the timeout.
  sent.on('close', () => answered.reject(new Error('the connection closed without a response')));
  sent.end(body);
  return answered.promise;
}
