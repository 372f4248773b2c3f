import { badNarrow, badRequest, credentialsMissing } from '@heddle/api/errors.ts';
import {
  CHANNELS_WORDS,
  type ChannelsWord,
  HAS_WORDS,
  type HasWord,
  IN_WORDS,
  IS_WORDS,
  isWordNamed,
  type NarrowOperator,
  type NarrowState,
  operatorNamed,
} from '@heddle/api/narrow-vocabulary.ts';
import { correspondentAt } from '../../../access/addresses.ts';
import { knownChannel, readableChannel } from '../../../access/channels.ts';
import type { Viewer } from '../../../access/spectators.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { ChannelRecord } from '../../../directory/records.ts';
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
  | { readonly on: 'is'; readonly state: NarrowState }
  | { readonly on: 'has'; readonly part: HasWord }
  | { readonly on: 'search'; readonly text: string };

export interface Term {
  readonly condition: Condition;
  readonly negated: boolean;
}

/**
 * Decodes a narrow for a caller (public reference: "Construct a narrow"). Channels that the caller cannot access give
 * the same error as unknown ones. Repeated terms count once, because each one makes planning slower. `near` selects
 * nothing: it only helps clients to scroll.
 * @throws ApiError `BAD_NARROW` for an unknown operator or operand
 */
export function readNarrow(directory: Directory, caller: Viewer, terms: readonly WireTerm[]): readonly Term[] {
  const read = terms.flatMap((term): readonly Term[] => {
    const { name, operand, negated } = partsOf(term);
    const operator = operatorNamed(name);
    switch (operator) {
      case 'near':
        messageId(operand);
        return [];
      case 'in':
        return placeTerms(text(operand), negated);
      case 'is':
        return [stateTerm(text(operand), negated)];
      case 'with':
      case undefined:
        throw badNarrow(`unknown operator ${name}`);
      default:
        return [{ condition: condition(directory, caller, operator, operand), negated }];
    }
  });
  return [...new Map(read.map((term) => [JSON.stringify(term), term])).values()];
}

/** The parts of a term, with the present name of its operator. */
export function partsOf(term: WireTerm): { name: string; operand: Operand; negated: boolean } {
  const [operator = '', operand = '', negated = false] =
    'operator' in term ? [term.operator, term.operand, term.negated] : [term[0], term[1]];
  return { name: operatorNamed(operator) ?? operator, operand, negated };
}

/** `home` excludes muted messages. `all` selects nothing, negated or not. */
function placeTerms(operand: string, negated: boolean): readonly Term[] {
  switch (IN_WORDS.find((word) => word === operand)) {
    case 'all':
      return [];
    case 'home':
      return [{ condition: { on: 'is', state: 'muted' }, negated: !negated }];
    case undefined:
      throw badNarrow(`unknown 'in' operand ${operand}`);
  }
}

function stateTerm(operand: string, negated: boolean): Term {
  const word = isWordNamed(operand);
  if (word === undefined) throw badNarrow(`unknown 'is' operand ${operand}`);
  if (word === 'read') return { condition: { on: 'is', state: IS_WORDS.read.oppositeOf }, negated: !negated };
  return { condition: { on: 'is', state: word }, negated };
}

type Operand = string | number | boolean | readonly number[] | readonly string[];

/** The operators with one condition each. `readNarrow` reads the others. */
type ConditionOperator = Exclude<NarrowOperator, 'near' | 'with' | 'in' | 'is'>;

function condition(directory: Directory, caller: Viewer, name: ConditionOperator, operand: Operand): Condition {
  switch (name) {
    case 'channel':
      return { on: 'channel', channelId: channelId(directory, caller, operand) };
    case 'channels':
      return { on: 'channels', channelIds: channelsOfKind(directory, text(operand)) };
    case 'topic':
      return { on: 'topic', topic: storedTopic(text(operand)) };
    case 'dm': {
      if (caller === undefined) throw credentialsMissing();
      const unknown = `unknown user in ${Array.isArray(operand) ? `[${operand.join(', ')}]` : operand}`;
      const users = userIds(directory, caller, operand, () => unknown);
      if (users.length === 0 && typeof operand === 'string') throw badNarrow(unknown);
      // An empty list names no conversation, also not that of the caller alone.
      return { on: 'conversation', participants: users.length === 0 ? [] : participantsOf([...users, caller.id]) };
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
    case 'has': {
      const named = text(operand);
      const part = HAS_WORDS.find((word) => word === named);
      if (part === undefined) throw badNarrow(`unknown 'has' operand ${named}`);
      return { on: 'has', part };
    }
    case 'search':
      return { on: 'search', text: text(operand).trim() };
  }
}

function text(operand: Operand): string {
  if (typeof operand !== 'string') throw badNarrow('the operand must be a string');
  return operand;
}

function messageId(operand: Operand): number {
  const id = Number(operand);
  if (typeof operand === 'object' || typeof operand === 'boolean' || operand === '' || !Number.isSafeInteger(id)) {
    throw badNarrow('Invalid message ID');
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
function channelsOfKind(directory: Directory, operand: string): readonly number[] {
  const kind = CHANNELS_WORDS.find((word) => word === operand);
  if (kind === undefined) throw badNarrow(`unknown channels operand ${operand}`);
  return [...directory.channels.values()].filter(OF_KIND[kind]).map(({ id }) => id);
}

const OF_KIND: Readonly<Record<ChannelsWord, (channel: ChannelRecord) => boolean>> = {
  public: ({ isPrivate }) => !isPrivate,
  'web-public': ({ isPrivate, isWebPublic }) => !isPrivate && isWebPublic,
};

/**
 * Decodes ids or email addresses: one, a list, or a text with commas.
 * @param problem what is wrong with the name of no user
 */
function userIds(
  directory: Directory,
  caller: Viewer,
  operand: Operand,
  problem = (name: string | number) => `unknown user ${name}`,
): readonly number[] {
  if (typeof operand === 'boolean') throw badNarrow('the operand must name users');
  const named = typeof operand === 'string' ? operand.split(',') : typeof operand === 'number' ? [operand] : operand;
  return named
    .map((name) => (typeof name === 'string' ? name.trim() : name))
    .filter((name) => name !== '')
    .map((name) => {
      const user = correspondent(directory, caller, name);
      if (user === undefined) throw badNarrow(problem(name));
      return user.id;
    });
}

function correspondent(directory: Directory, caller: Viewer, named: string | number) {
  if (typeof named === 'number') return directory.correspondent(named);
  return caller === undefined ? bySpectatorAddress(directory, named) : correspondentAt(directory, caller, named);
}

/**
 * Refuses terms that no message can match: some ask for channel messages, and others for direct messages. A negated term asks
 * for neither, except `-is:dm`, which asks for channel messages.
 * @throws ApiError `BAD_NARROW`
 */
export function checkKinds(terms: readonly Term[]): void {
  const kinds = new Set(terms.map(kindOf));
  if (kinds.has('channel') && kinds.has('direct')) {
    throw badNarrow('No message can be both a channel message and direct message');
  }
}

/** The kind of messages for which a term asks. */
function kindOf({ condition, negated }: Term): 'channel' | 'direct' | undefined {
  switch (condition.on) {
    case 'channel':
    case 'channels':
    case 'topic':
      return negated ? undefined : 'channel';
    case 'conversation':
    case 'conversations-with':
      return negated ? undefined : 'direct';
    case 'is':
      if (condition.state !== 'dm') return undefined;
      return negated ? 'channel' : 'direct';
    default:
      return undefined;
  }
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
