/** One request to the push service of a browser (RFC 8030), with bounds that hold whatever the service does. */
import { timeoutOf } from '../../config/timeout-factor.ts';
import { delivering } from '../../measures.ts';
import { ForbiddenAddressError } from '../../outbound/networks.ts';
import { type Reach, sendOutbound } from '../../outbound/request.ts';
import { secondsOfRetryAfter } from '../../outbound/retry-after.ts';
import { type BrowserKeys, encryptFor } from './encrypting.ts';
import type { VapidIdentity } from './identity.ts';

/** From the first name lookup to the header of the response, in milliseconds. */
const RESPONSE_TIMEOUT_MS = timeoutOf(10_000);
/** How long the push service keeps a notification for a browser that is offline. */
const TIME_TO_LIVE_SECONDS = 86_400;

export interface Push {
  readonly endpoint: string;
  readonly keys: BrowserKeys;
  readonly payload: Buffer;
  /** At most 32 characters of Base64 for URLs. The push service keeps only the newest waiting push of a topic. */
  readonly topic: string;
  readonly isUrgent: boolean;
}

/**
 * What became of a push. `gone`: the subscription has ended. `later`: the service wants fewer requests. `failing`: the service cannot be
 * reached or fails. `refused`: it does not take this one.
 */
export type Sent =
  | { readonly kind: 'accepted' | 'gone' | 'refused'; readonly reason: string }
  | { readonly kind: 'later'; readonly reason: string; readonly afterSeconds: number }
  | { readonly kind: 'failing'; readonly reason: string };

/** Never rejects. A redirect is a refusal and is never followed. */
export function sendPush(reach: Reach, identity: VapidIdentity, push: Push): Promise<Sent> {
  const isTaken = ({ kind }: Sent) => kind === 'accepted' || kind === 'gone';
  return delivering('web-push', () => send(reach, identity, push), isTaken);
}

async function send(reach: Reach, identity: VapidIdentity, push: Push): Promise<Sent> {
  const { endpoint, keys, payload, topic, isUrgent } = push;
  const url = new URL(endpoint);
  const body = encryptFor(keys, payload);
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
    const response = await sendOutbound(reach, { method: 'POST', url, headers, body, signal });
    // The body says nothing that is needed. This closes the connection.
    response.destroy();
    return outcomeOf(response.statusCode ?? 0, response.headers['retry-after']);
  } catch (error) {
    if (error instanceof ForbiddenAddressError) return { kind: 'refused', reason: 'its address is not public' };
    const reason = signal.aborted ? 'it does not respond' : String(error instanceof Error ? error.message : error);
    return { kind: 'failing', reason };
  }
}

function outcomeOf(status: number, retryAfter: string | undefined): Sent {
  const reason = `it responded with ${status}`;
  if (status >= 200 && status < 300) return { kind: 'accepted', reason };
  if (status === 404 || status === 410) return { kind: 'gone', reason };
  if (status === 429 || (status === 503 && retryAfter !== undefined)) {
    return { kind: 'later', reason, afterSeconds: secondsOfRetryAfter(retryAfter) };
  }
  return { kind: status >= 500 ? 'failing' : 'refused', reason };
}
