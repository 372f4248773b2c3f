import type { Parameters } from '@heddle/api/contract.ts';
import type { receiveWebhook } from '@heddle/api/endpoints/incoming-webhooks.ts';
import { ApiError, badRequest } from '@heddle/api/errors.ts';
import type { Gallery } from './gallery.ts';
import { cut, type Markdown } from './markdown.ts';
import type { Payload } from './payload.ts';

/** A header of the request; '' if it was not sent. Names are in lower case. */
export type Header = (name: string) => string;

/** A request of the other service, decoded. */
export interface Delivery {
  readonly payload: Payload;
  readonly header: Header;
  readonly parameters: Pick<
    Parameters<typeof receiveWebhook>,
    'branches' | 'ignore_private_repositories' | 'include_repository_name' | 'use_merge_request_title' | 'name' | 'desc'
  >;
}

/** What the bot says about an event. */
export interface Rendered {
  /** The name of the event, for the filters. */
  readonly event: string;
  /** The topic, if the URL names none. */
  readonly topic: string;
  readonly content: Markdown;
}

/** No message, on purpose. The event has this name in `ignored` of the integration. */
export interface Ignored {
  readonly ignored: string;
}

/** No message, because the parameters of the URL leave the event out. */
export const FILTERED = 'filtered';

/** No message: the service checks the URL, and shows whose it is. The response has the name, the address and the ID of the bot. */
export const ASKS_FOR_BOT = 'asks for the bot';

export type Outcome = Rendered | Ignored | typeof FILTERED | typeof ASKS_FOR_BOT;

/** Events that cause no message on purpose: their names, each with the reason as a sentence. */
export type IgnoredEvents = Readonly<Record<string, string>>;

/** A signed request: its headers, the bytes of its body, and the secret that both sides know. */
export interface Signed {
  readonly header: Header;
  readonly body: Buffer;
  /** The address that the service calls, with its parameters. */
  readonly url: string;
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A service that reports events. */
export interface Integration {
  /** In the URL. It never changes. */
  readonly name: string;
  /** Other names that URLs have. */
  readonly otherNames?: readonly string[];
  /** For people. */
  readonly title: string;
  /** What people see before they use it. */
  readonly gallery: Gallery;
  /** The names of its events, for the filters of the URL. Empty: it has no kinds of events. */
  readonly events: readonly string[];
  /** People can see these on the page of the integrations. */
  readonly ignored: IgnoredEvents;
  /** Whether the service escapes the names in the URL once more: `build%2520room` stands for `build room`. */
  readonly escapesTwice?: true;
  /** Whether the signature is valid. Absent: the service does not sign. */
  readonly isSigned?: (signed: Signed) => boolean;
  /** Fields of the response that its clients expect; with an error, those of a refusal. */
  readonly responseFields?: (error?: string) => { readonly ok: boolean; readonly error?: string };
  /**
   * The message about the event, or why it causes none.
   * @throws ApiError `BAD_REQUEST`: the payload lacks what the message needs
   * @throws UnknownEventError if neither `events` nor `ignored` has the event
   */
  render(delivery: Delivery): Outcome;
}

/** An event that the integration does not know. The request is refused, and the owner of the bot is notified. */
export class UnknownEventError extends ApiError {
  readonly event: string;

  constructor(event: string) {
    super('BAD_REQUEST', `The integration does not know the event '${cut(event.replaceAll(/\p{Cc}/gu, ' '), 100)}'`);
    this.event = event;
  }
}

/** The outcome of the renderer for this event. @throws UnknownEventError */
export function renderedBy<Given>(
  event: string,
  renderers: ReadonlyMap<string, (given: Given) => Outcome>,
  ignored: IgnoredEvents,
  given: Given,
): Outcome {
  const renderer = renderers.get(event);
  if (renderer !== undefined) return renderer(given);
  if (Object.hasOwn(ignored, event)) return { ignored: event };
  throw new UnknownEventError(event);
}

/**
 * What a message says for a value of a payload, such as `merged` for `fulfilled`.
 * @param event the name of the event with this value, for the refusal
 * @throws UnknownEventError if the table lacks the value
 */
export function wordsFor(value: string, table: Readonly<Record<string, string>>, event: string): string {
  const words = Object.hasOwn(table, value) ? table[value] : undefined;
  if (words === undefined) throw new UnknownEventError(event);
  return words;
}

/** The header that names the event. @throws ApiError `BAD_REQUEST` if it is missing */
export function neededHeader(header: Header, name: string): string {
  const value = header(name.toLowerCase());
  if (value === '') throw badRequest(`Missing the HTTP event header '${name}'`);
  return value;
}
