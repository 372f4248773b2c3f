/** Requests of other services to incoming webhooks. They are recorded beside each integration, with the messages that they cause. */
import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { completed } from '@heddle/api/contract.ts';
import { receiveWebhook } from '@heddle/api/endpoints/incoming-webhooks.ts';
import { ApiError } from '@heddle/api/errors.ts';
import type { Delivery, Integration, Outcome } from '../../features/incoming-webhooks/integration.ts';
import { Payload } from '../../features/incoming-webhooks/payload.ts';
import { headersOf, payloadsOf } from '../../features/incoming-webhooks/samples.ts';
import type { Json } from '../clients/json.ts';
import type { TestServer } from '../server/server.ts';

type Headers = Readonly<Record<string, string>>;

export interface Recorded {
  /** The name of its file. */
  readonly name: string;
  /** By their names in lower case. */
  readonly headers: Headers;
  readonly body: string;
  /** What it causes, as the file `<name>.md` says; undefined without that file. */
  readonly outcome: string | undefined;
}

/** All recorded requests of the integration with this name. */
export async function recordedOf(integration: string): Promise<readonly Recorded[]> {
  const payloads = payloadsOf(integration);
  const text = (file: string) => readFile(join(payloads, file), 'utf8').catch(() => undefined);
  const headers = await headersOf(integration);
  const files = (await Array.fromAsync(glob('*.json', { cwd: payloads }))).filter((file) => file !== 'headers.json');
  return Promise.all(
    files.toSorted().map(async (file) => {
      const name = basename(file, '.json');
      const body = (await text(file)) ?? '';
      return { name, headers: headers[name] ?? {}, body, outcome: await text(`${name}.md`) };
    }),
  );
}

export async function recorded(integration: string, name: string): Promise<Recorded> {
  const found = (await recordedOf(integration)).find((one) => one.name === name);
  if (found === undefined) throw new Error(`no request ${name} of ${integration} is recorded`);
  return found;
}

/** The request as an integration gets it, with other parameters of the URL, or with another payload. */
export function deliveryOf(
  { headers, body }: Pick<Recorded, 'headers' | 'body'>,
  parameters: Partial<Delivery['parameters']> = {},
  payload: unknown = JSON.parse(body),
): Delivery {
  return {
    payload: new Payload(payload),
    header: (name) => headers[name] ?? '',
    parameters: { ...completed(receiveWebhook, { integration: 'any' }), ...parameters },
  };
}

/** Sends what the other service sends: a URL, headers and a body. */
export async function postWebhook(
  { url }: Pick<TestServer, 'url'>,
  integration: string,
  { query, body, headers = {} }: { readonly query: Headers; readonly body: string; readonly headers?: Headers },
): Promise<Json> {
  const response = await fetch(`${url}/api/v1/external/${integration}?${new URLSearchParams(query)}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });
  const answer: Json = await response.json();
  return { status: response.status, ...answer };
}

/** The outcome; undefined for a request that is refused with status 400. */
export function outcomeOf(integration: Integration, delivery: Delivery): Outcome | undefined {
  try {
    return integration.render(delivery);
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return undefined;
    throw error;
  }
}

/** The text of the message; undefined if the request causes none. */
export function contentOf(integration: Integration, delivery: Delivery): string | undefined {
  const outcome = outcomeOf(integration, delivery);
  if (outcome === undefined || typeof outcome === 'string' || 'ignored' in outcome) return undefined;
  return outcome.content.toString();
}

/**
 * The outcome as the files `<name>.md` have it: the event, the topic, an empty line and the text; or `ignored: <the name of the event>`;
 * or `refused: <the reason>`; or `asks for the bot`.
 */
export function writtenOutcome(integration: Integration, delivery: Delivery): string {
  try {
    const outcome = integration.render(delivery);
    if (typeof outcome === 'string') return `${outcome}\n`;
    if ('ignored' in outcome) return `ignored: ${outcome.ignored}\n`;
    return `${outcome.event}\n${outcome.topic}\n\n${outcome.content}\n`;
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) return `refused: ${error.message}\n`;
    throw error;
  }
}
