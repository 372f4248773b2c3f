import { badNarrow, badRequest, credentialsMissing } from '@heddle/api/errors.ts';
import { correspondentAt } from '../../../access/addresses.ts';
import { knownChannel, readableChannel } from '../../../access/channels.ts';
import type { Viewer } from '../../../access/spectators.ts';
import type { Directory } from '../../../directory/directory.ts';
import { participantsOf } from '../../messages/conversations/actions.ts';
import { storedTopic } from '../../texts/shared/topic-names.ts';
import { bySpectatorAddress } from '../../users/users/seen-by-spectators.ts';

/** A term of a narrow in the form of clients: an object, or the older pair. */
export type WireTerm =
  | {
      readonly operator: string;
      readonly operand: string | number | boolean | readonly number[] | readonly string[];
      readonly negated?: boolean;
    }
  | readonly string[];

/** A condition on messages, with the ids of what it names. */
export type Condition =
  | { readonly on: 'channel'; readonly channelId: number }
  | { readonly on: 'channels'; readonly channelIds: readonly number[] }
  | { readonly on: 'topic'; readonly topic: string }
  | { readonly on: 'conversation'; readonly participants: readonly number[] }
  | { readonly on: 'conversations-with'; readonly userId: number; readonly among: 'all' | 'groups' }
  | { readonly on: 'sender'; readonly userId: number }
  | { readonly on: 'id'; readonly messageId: number }
  | { readonly on: 'is'; readonly state: State }
  | { readonly on: 'has'; readonly part: Part }
  | { readonly on: 'search'; readonly text: string };

export interface Term {
  readonly condition: Condition;
  readonly negated: boolean;
}

const CANONICAL: ReadonlyMap<string, string> = new Map([
  ['stream', 'channel'],
  ['streams', 'channels'],
  ['subject', 'topic'],
  ['from', 'sender'],
  ['pm-with', 'dm'],
  ['pm_with', 'dm'],
]);

export type State = 'dm' | 'unread' | 'starred' | 'mentioned' | 'alerted' | 'followed' | 'muted' | 'resolved';

const STATES: ReadonlyMap<string, State | 'read'> = new Map([
  ['dm', 'dm'],
  ['private', 'dm'],
  ['unread', 'unread'],
  ['read', 'read'],
  ['starred', 'starred'],
  ['mentioned', 'mentioned'],
  ['alerted', 'alerted'],
  ['followed', 'followed'],
  ['muted', 'muted'],
  ['resolved', 'resolved'],
]);

/** What a message can contain or have. */
export type Part = 'attachment' | 'image' | 'link' | 'reaction';

const PARTS: ReadonlyMap<string, Part> = new Map([
  ['attachment', 'attachment'],
  ['image', 'image'],
  ['link', 'link'],
  ['reaction', 'reaction'],
]);

/**
 * Decodes a narrow for a caller (public reference: "Construct a narrow"). Channels that the caller cannot access give
 * the same error as unknown ones. Repeated terms count once, because each one makes planning slower. `near` selects
 * nothing: it only helps clients to scroll.
 * @throws ApiError `BAD_NARROW` for an unknown operator or operand
 */
export function readNarrow(directory: Directory, caller: Viewer, terms: readonly WireTerm[]): readonly Term[] {
  const read = terms.flatMap((term): readonly Term[] => {
    const { name, operand, negated } = partsOf(term);
    if (name === 'near') {
      messageId(operand);
      return [];
    }
    if (name === 'in') return placeTerms(text(operand), negated);
    if (name === 'is' && STATES.get(String(operand)) === 'read') {
      return [{ condition: { on: 'is', state: 'unread' }, negated: !negated }];
    }
    return [{ condition: condition(directory, caller, name, operand), negated }];
  });
  return [...new Map(read.map((term) => [JSON.stringify(term), term])).values()];
}

/** The parts of a term, with the present name of its operator. */
export function partsOf(term: WireTerm): { name: string; operand: Operand; negated: boolean } {
  const [operator = '', operand = '', negated = false] =
    'operator' in term ? [term.operator, term.operand, term.negated] : [term[0], term[1]];
  return { name: CANONICAL.get(operator) ?? operator, operand, negated };
}

/** `home` excludes muted messages. `all` selects nothing, negated or not. */
function placeTerms(place: string, negated: boolean): readonly Term[] {
  if (place === 'all') return [];
  if (place !== 'home') throw badNarrow(`unknown 'in' operand ${place}`);
  return [{ condition: { on: 'is', state: 'muted' }, negated: !negated }];
}

type Operand = string | number | boolean | readonly number[] | readonly string[];

function condition(directory: Directory, caller: Viewer, name: string, operand: Operand): Condition {
  switch (name) {
    case 'channel':
      return { on: 'channel', channelId: channelId(directory, caller, operand) };
    case 'channels':
      return { on: 'channels', channelIds: channelsOfKind(directory, text(operand)) };
    case 'topic':
      return { on: 'topic', topic: storedTopic(text(operand)) };
    case 'dm': {
      if (caller === undefined) throw credentialsMissing();
      const users = userIds(directory, caller, operand);
      return { on: 'conversation', participants: participantsOf([...users, caller.id]) };
    }
    case 'dm-including':
      return { on: 'conversations-with', userId: one(userIds(directory, caller, operand)), among: 'all' };
    // The older operator finds only conversations of at least three users.
    case 'group-pm-with':
      return { on: 'conversations-with', userId: one(userIds(directory, caller, operand)), among: 'groups' };
    case 'sender':
      return { on: 'sender', userId: one(userIds(directory, caller, operand)) };
    case 'id':
      return { on: 'id', messageId: messageId(operand) };
    case 'is': {
      const state = STATES.get(text(operand));
      if (state === undefined || state === 'read') throw badNarrow(`unknown 'is' operand ${String(operand)}`);
      return { on: 'is', state };
    }
    case 'has': {
      const part = PARTS.get(text(operand));
      if (part === undefined) throw badNarrow(`unknown 'has' operand ${String(operand)}`);
      return { on: 'has', part };
    }
    case 'search':
      return { on: 'search', text: text(operand).trim() };
    default:
      throw badNarrow(`unknown operator ${name}`);
  }
}

function text(operand: Operand): string {
  if (typeof operand !== 'string') throw badNarrow('the operand must be a string');
  return operand;
}

function messageId(operand: Operand): number {
  const id = Number(operand);
  if (typeof operand === 'object' || typeof operand === 'boolean' || operand === '' || !Number.isSafeInteger(id)) {
    throw badNarrow('the operand must be a message ID');
  }
  return id;
}

function one(ids: readonly number[]): number {
  const [id, ...others] = ids;
  if (id === undefined || others.length > 0) throw badNarrow('the operand must be one user');
  return id;
}

/** A string of digits is an id, unless the caller can access a channel with this name. */
function channelId(directory: Directory, caller: Viewer, operand: Operand): number {
  const named = typeof operand === 'number' ? operand : text(operand);
  const isId = /^\d+$/.test(String(named)) && knownChannel(directory, caller, named) === undefined;
  return readableChannel(directory, caller, isId ? Number(named) : named, 'narrow').id;
}

/** All channels of the kind, including archived ones. This does not check whether the user can read them. */
function channelsOfKind(directory: Directory, kind: string): readonly number[] {
  if (kind !== 'public' && kind !== 'web-public') throw badNarrow(`unknown channels operand ${kind}`);
  return [...directory.channels.values()]
    .filter(({ isPrivate, isWebPublic }) => !isPrivate && (kind === 'public' || isWebPublic))
    .map(({ id }) => id);
}

/** Decodes ids or email addresses: one, a list, or a text with commas. */
function userIds(directory: Directory, caller: Viewer, operand: Operand): readonly number[] {
  if (typeof operand === 'boolean') throw badNarrow('the operand must name users');
  const named = typeof operand === 'string' ? operand.split(',') : typeof operand === 'number' ? [operand] : operand;
  return named
    .map((name) => (typeof name === 'string' ? name.trim() : name))
    .filter((name) => name !== '')
    .map((name) => {
      const user = correspondent(directory, caller, name);
      if (user === undefined) throw badNarrow(`unknown user ${name}`);
      return user.id;
    });
}

function correspondent(directory: Directory, caller: Viewer, named: string | number) {
  if (typeof named === 'number') return directory.correspondent(named);
  return caller === undefined ? bySpectatorAddress(directory, named) : correspondentAt(directory, caller, named);
}

/** The positive conditions of one kind. */
export function wanted<On extends Condition['on']>(terms: readonly Term[], on: On) {
  return terms.flatMap(({ condition, negated }) =>
    !negated && condition.on === on ? [condition as Extract<Condition, { on: On }>] : [],
  );
}

/** @throws ApiError if the request asks for more messages than allowed */
export function checkMessageCount(caller: Viewer, count: number): void {
  const most = caller === undefined ? MAX_MESSAGES_FOR_SPECTATORS : MAX_MESSAGES;
  if (count > most) throw badRequest(`Too many messages requested (maximum ${most}).`);
}

const MAX_MESSAGES = 5000;
const MAX_MESSAGES_FOR_SPECTATORS = 1000;
