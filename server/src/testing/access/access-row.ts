import type { Endpoint } from '@heddle/api/contract.ts';
import type { Fields } from '../clients/client.ts';
import type { Scene } from './access-scene.ts';

/** The meaning of the letters of a row: the status, and the code in the body. */
export const OUTCOMES: Readonly<Record<string, string>> = {
  '+': '200',
  b: '400 BAD_REQUEST',
  p: '400 UNAUTHORIZED_PRINCIPAL',
  c: '400 CANNOT_ADMINISTER_CHANNEL',
  s: '400 STREAM_DOES_NOT_EXIST',
  q: '400 BAD_EVENT_QUEUE_ID',
  l: '400 CANNOT_DEACTIVATE_LAST_USER',
  d: '400 NO_ACTIVE_PUSH_DEVICE',
  o: '400 INVALID_PUSH_DEVICE_TOKEN',
  a: '401 AUTHENTICATION_FAILED',
  u: '401 UNAUTHORIZED',
  x: '401 USER_DEACTIVATED',
  r: '400 REACTION_DOES_NOT_EXIST',
  k: '403 CSRF_FAILED',
  e: '400 page',
  i: '403 page',
  m: '404 page',
  n: '404 BAD_REQUEST',
  f: '404 NOT_FOUND',
  g: '404 undefined',
  t: '412 undefined',
  h: '401 undefined',
  w: '503 page',
};

export interface AccessRow {
  readonly endpoint: Endpoint;
  /** Distinguishes the rows of an endpoint. */
  readonly what: string;
  /**
   * Letters of `OUTCOMES` in the order of `COLUMNS`: owner, administrator, moderator, member, guest, bot. After a
   * space: no credentials without and with spectator access, a deactivated user, a user of another organization.
   */
  readonly outcomes: string;
  /** The parameters. Everything that they name is newly created. */
  readonly fields: (scene: Scene) => Fields | Promise<Fields>;
  /** The file or the body, if the endpoint takes one. */
  readonly file?: () => Promise<Buffer>;
}

export function row(
  endpoint: Endpoint,
  what: string,
  outcomes: string,
  fields: AccessRow['fields'] = () => ({}),
  file?: AccessRow['file'],
): AccessRow {
  return { endpoint, what, outcomes, fields, ...(file !== undefined && { file }) };
}

/**
 * One channel with all users, one with only another user, a private one with only another user, and a web-public one.
 */
export function inCommon({ standing }: Scene): Fields {
  return { stream_id: standing.common };
}

export function amongOthers({ standing }: Scene): Fields {
  return { stream_id: standing.others };
}

export function inClosed({ standing }: Scene): Fields {
  return { stream_id: standing.closed };
}

export function inShown({ standing }: Scene): Fields {
  return { stream_id: standing.shown };
}
