import type { Parameters } from '@heddle/api/contract.ts';
import type { receiveWebhook } from '@heddle/api/endpoints/incoming-webhooks.ts';
import { badRequest } from '@heddle/api/errors.ts';
import type { Markdown } from './markdown.ts';
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

/** A signed request: its headers, the bytes of its body, and the secret that both sides know. */
export interface Signed {
  readonly header: Header;
  readonly body: Buffer;
  readonly secret: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A service that reports events. */
export interface Integration {
  /** In the URL. It never changes. */
  readonly name: string;
  /** For people. */
  readonly title: string;
  /** What the service does, in a few words. */
  readonly about: string;
  /** Where the URL belongs in the service. */
  readonly setup: string;
  /** The names of its events, for the filters of the URL. Empty: it has no kinds of events. */
  readonly events: readonly string[];
  /** Whether the signature is valid. Absent: the service does not sign. */
  readonly isSigned?: (signed: Signed) => boolean;
  /** Fields of the response that its clients expect; with an error, those of a refusal. */
  readonly responseFields?: (error?: string) => { readonly ok: boolean; readonly error?: string };
  /**
   * The message about the event; undefined for an event that causes none.
   * @throws ApiError `BAD_REQUEST`: the payload lacks what the message needs
   */
  render(delivery: Delivery): Rendered | undefined;
}

/** The header that names the event. @throws ApiError `BAD_REQUEST` if it is missing */
export function neededHeader(header: Header, name: string): string {
  const value = header(name.toLowerCase());
  if (value === '') throw badRequest(`Missing the HTTP event header '${name}'`);
  return value;
}
