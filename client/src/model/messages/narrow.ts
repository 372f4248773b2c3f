import { IS_WORDS, type IsWord, NARROW_OPERATORS, type NarrowOperator } from './narrow-vocabulary.ts';
import { directPlace, type Place, topicKey } from './places.ts';

/** One condition of a narrow, with the current names of the operators: `channel`, `dm`, `dm-including`. */
export interface Term {
  readonly operator: string;
  readonly operand: string | number | readonly number[];
  readonly negated?: boolean;
}

/** A set of messages: those that meet all terms. Without terms: all messages that the user received. */
export type Narrow = readonly Term[];

interface Named {
  readonly olderNames: readonly string[];
  readonly replacedBy?: string;
}

function byName(table: Readonly<Record<string, Named>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([name, { olderNames, replacedBy = name }]) =>
      [name, ...olderNames].map((one) => [one, replacedBy] as const),
    ),
  );
}

const CURRENT_OPERATORS = byName(NARROW_OPERATORS);
const CURRENT_WORDS = byName(IS_WORDS);

/** The term with current names. Values of `is` and `has` are lower case. */
export function normalizedTerm({ operator, operand, negated }: Term): Term {
  const lower = operator.toLowerCase();
  const name = CURRENT_OPERATORS.get(lower) ?? lower;
  const word = typeof operand === 'string' && (name === 'is' || name === 'has') ? operand.toLowerCase() : operand;
  const value = name === 'is' && typeof word === 'string' ? (CURRENT_WORDS.get(word) ?? word) : word;
  return { operator: name, operand: value, ...(negated && { negated }) };
}

/** The operators of normalized terms. They replace the others. */
export type CurrentOperator = {
  [Name in NarrowOperator]: (typeof NARROW_OPERATORS)[Name] extends { readonly replacedBy: string } ? never : Name;
}[NarrowOperator];

export function isOperator(name: string): name is CurrentOperator {
  return CURRENT_OPERATORS.get(name) === name;
}

export function isStateWord(name: Term['operand']): name is IsWord {
  return typeof name === 'string' && Object.hasOwn(IS_WORDS, name);
}

/** The terms that select messages. The others, `near` and `with`, only name a message to open at. */
export function conditionsOf(narrow: Narrow): Narrow {
  return narrow.filter(({ operator }) => !isOperator(operator) || NARROW_OPERATORS[operator].isNegatable);
}

/** @param ownId stands for the conversation with oneself */
export function narrowOfPlace(place: Place, ownId: number): Narrow {
  if (place.kind === 'direct') return [dmTerm(place.userIds, ownId)];
  return [
    { operator: 'channel', operand: place.channelId },
    { operator: 'topic', operand: place.topic },
  ];
}

function dmTerm(userIds: readonly number[], ownId: number): Term {
  const others = directPlace(userIds, ownId).userIds;
  return { operator: 'dm', operand: others.length === 0 ? [ownId] : others };
}

/**
 * The messages of the narrow: without a position in it, without the user among the participants of direct conversations,
 * and with the id of the user instead of `me`.
 */
export function canonicalNarrow(narrow: Narrow, ownId: number): Narrow {
  return conditionsOf(narrow).map((term) => {
    if (term.operator === 'sender' && term.operand === 'me') return { ...term, operand: ownId };
    if (term.operator !== 'dm' || typeof term.operand !== 'object') return term;
    return { ...dmTerm(term.operand, ownId), ...(term.negated && { negated: true }) };
  });
}

/** The single conversation that the narrow shows, or undefined if it shows several. */
export function placeOfNarrow(narrow: Narrow, ownId: number): Place | undefined {
  const terms = conditionsOf(narrow);
  if (terms.some(({ negated }) => negated)) return undefined;
  const [first, second] = terms;
  if (terms.length === 1 && first?.operator === 'dm' && typeof first.operand === 'object') {
    return directPlace(first.operand, ownId);
  }
  if (terms.length !== 2) return undefined;
  const channel = terms.find(({ operator }) => operator === 'channel');
  const topic = [first, second].find((term) => term?.operator === 'topic');
  if (typeof channel?.operand !== 'number' || topic === undefined) return undefined;
  return { kind: 'topic', channelId: channel.operand, topic: String(topic.operand) };
}

/** The channel that all messages of the narrow are in, if it names one. */
export function channelOfNarrow(narrow: Narrow): number | undefined {
  const term = narrow.find(({ operator, negated }) => operator === 'channel' && !negated);
  return typeof term?.operand === 'number' ? term.operand : undefined;
}

/** Equal for narrows that show the same messages. `near` and `with` only choose a position, so they do not count. */
export function keyOfNarrow(narrow: Narrow): string {
  const terms = conditionsOf(narrow).map(keyOfTerm);
  return [...new Set(terms)].sort().join('/');
}

function keyOfTerm({ operator, operand, negated }: Term): string {
  const value = operator === 'topic' ? topicKey(String(operand)) : String(operand);
  return `${negated ? '-' : ''}${operator}:${JSON.stringify(value)}`;
}

/** The message that the narrow wants to open at. `with` only names the conversation, which opens where the user left it. */
export function nearOf(narrow: Narrow): number | undefined {
  const term = narrow.find(({ operator }) => operator === 'near');
  const id = Number(term?.operand);
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** The narrow in the form of the API. */
export function wireNarrow(
  narrow: Narrow,
): { operator: string; operand: string | number | number[]; negated: boolean }[] {
  return narrow
    .filter(({ operator }) => operator !== 'near')
    .map(({ operator, operand, negated = false }) => ({
      operator,
      operand: typeof operand === 'object' ? [...operand] : operand,
      negated,
    }));
}
