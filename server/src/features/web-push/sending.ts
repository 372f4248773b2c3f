/** One request to the push service of a browser (RFC 8030), with bounds that hold whatever the service does. */
import type { IncomingMessage } from 'node:http';
import { timeoutOf } from '../../config/timeout-factor.ts';
import { delivering } from '../../measures.ts';
import { ForbiddenAddressError } from '../../outbound/networks.ts';
import { type Connections, type Reach, sendOutbound } from '../../outbound/request.ts';
import { secondsOfRetryAfter } from '../../outbound/retry-after.ts';
import type { VapidIdentity } from './identity.ts';

/** From the first name lookup to the end of the response, in milliseconds. */
const RESPONSE_TIMEOUT_MS = timeoutOf(10_000);
/** How long the push service keeps a notification for a browser that is offline. */
const TIME_TO_LIVE_SECONDS = 86_400;

/** A longer body of a response closes the connection. */
const MAX_BODY_BYTES = 4096;

export interface Push {
  readonly endpoint: string;
  /** Encrypted for the browser. */
  readonly body: Buffer;
  /** At most 32 characters of Base64 for URLs. The push service keeps only the newest waiting push of a topic. */
  readonly topic: string;
  readonly isUrgent: boolean;
}

/**
 * What became of a push. `gone`: the subscription has ended, or does not accept our key. `later`: the service wants fewer requests. `failing`: the service cannot be
 * reached or fails. `refused`: it never takes this one.
 */
export type Sent =
  | { readonly kind: 'accepted' | 'gone' | 'refused'; readonly reason: string }
  | { readonly kind: 'later'; readonly reason: string; readonly afterSeconds: number }
  /** `hasResponded`: else the browser may have got it all the same. */
  | { readonly kind: 'failing'; readonly reason: string; readonly hasResponded: boolean };

/** How pushes are sent. */
export interface Sending {
  readonly reach: Reach;
  readonly identity: VapidIdentity;
  readonly connections?: Connections | undefined;
}

/** A redirect is a refusal and is never followed. Never rejects. */
export function sendPush(sending: Sending, push: Push): Promise<Sent> {
  const isTaken = ({ kind }: Sent) => kind === 'accepted' || kind === 'gone';
  return delivering('web-push', () => send(sending, push), isTaken);
}

async function send({ reach, identity, connections }: Sending, push: Push): Promise<Sent> {
  const { endpoint, body, topic, isUrgent } = push;
  const url = new URL(endpoint);
  const headers = {
    authorization: identity.authorization(url),
    'content-encoding': 'aes128gcm',
    'content-type': 'application/octet-stream',
    'content-length': body.length,
    ttl: TIME_TO_LIVE_SECONDS,
    urgency: isUrgent ? 'high' : 'normal',
    topic,
  };
  const signal = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
  try {
    const response = await sendOutbound(reach, { method: 'POST', url, headers, body, signal, connections });
    await readToEnd(response);
    return outcomeOf(response.statusCode ?? 0, response.headers['retry-after']);
  } catch (error) {
    if (error instanceof ForbiddenAddressError) return { kind: 'refused', reason: 'its address is not public' };
    const reason = signal.aborted ? 'it does not respond' : String(error instanceof Error ? error.message : error);
    return { kind: 'failing', reason, hasResponded: false };
  }
}

/** The body says nothing that is needed. */
async function readToEnd(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of response) {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) break;
    }
  } catch {
    // The header has said what became of the push.
  }
}

/** Push services say 401 or 403 if a subscription was made for another key. */
const GONE: ReadonlySet<number> = new Set([401, 403, 404, 410]);

function outcomeOf(status: number, retryAfter: string | undefined): Sent {
  const reason = `it responded with ${status}`;
  if (status >= 200 && status < 300) return { kind: 'accepted', reason };
  if (GONE.has(status)) return { kind: 'gone', reason };
  if (status === 429 || (status === 503 && retryAfter !== undefined)) {
    return { kind: 'later', reason, afterSeconds: secondsOfRetryAfter(retryAfter) };
  }
  return status >= 500 ? { kind: 'failing', reason, hasResponded: true } : { kind: 'refused', reason };
}
