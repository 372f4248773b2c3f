/** Requests of clients, with the time that they took and their outcome. */
import { request } from 'node:http';
import { apiPrefix } from '@heddle/api/contract.ts';
import { encode, type Fields } from '@heddle/server/testing/clients/client.ts';
import type { Json } from '@heddle/server/testing/clients/json.ts';
import type { Account } from '@heddle/server/testing/faults/stubborn-clients.ts';
import type { Recorder } from '../history/recorder.ts';
import type { Outcome, Request } from '../history/records.ts';

/** A client gives up then. */
const PATIENCE_MS = 12_000;

/** A host that takes requests. */
export interface Place {
  readonly name: string;
  readonly url: string;
}

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly fields?: Fields;
}

export interface Answer {
  /** Without the name of the client. */
  readonly request: Omit<Request, 'client'>;
  /** The body of the response. Empty without one. */
  readonly body: Json;
}

/** Sends a request on a connection of its own, because one of before a fault would tell about the fault and not about now. */
export async function call(
  recorder: Recorder,
  place: Place,
  account: Account | undefined,
  { method, path, fields = {} }: Call,
): Promise<Answer> {
  const begin = recorder.now();
  const response = await respond(place, account, method, path, fields).catch(() => undefined);
  const body = bodyIn(response?.text);
  const outcome = outcomeOf(response?.status, body);
  return {
    request: {
      at: place.name,
      begin,
      end: recorder.now(),
      outcome,
      ...(response !== undefined && { status: response.status }),
    },
    body,
  };
}

function respond({ url }: Place, account: Account | undefined, method: string, path: string, fields: Fields) {
  const form = encode(fields);
  const inQuery = method === 'GET';
  const target = `${url}${apiPrefix}${path}${inQuery && form !== '' ? `?${form}` : ''}`;
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly status: number; readonly text: string }>();
  const headers = {
    ...(account !== undefined && {
      authorization: `Basic ${Buffer.from(`${account.email}:${account.apiKey}`).toString('base64')}`,
    }),
    ...(!inQuery && {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': String(Buffer.byteLength(form)),
    }),
  };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const outgoing = request(target, { method, headers, agent: false, signal }, (incoming) => {
    let text = '';
    incoming.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    incoming.on('error', reject);
    incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, text }));
  });
  outgoing.on('error', reject);
  outgoing.end(inQuery ? undefined : form);
  return promise;
}

/** The balancer responds without JSON. */
function bodyIn(text: string | undefined): Json {
  try {
    return JSON.parse(text ?? '{}');
  } catch {
    return {};
  }
}

/** By rule errors-14 of `docs/interface.md`. */
function outcomeOf(status: number | undefined, body: Json): Outcome {
  if (status === 200 && body.result === 'success') return 'acknowledged';
  if (status === undefined || body.result !== 'error') return 'unknown';
  return status < 500 || body.code === 'SERVICE_UNAVAILABLE' ? 'refused' : 'unknown';
}
