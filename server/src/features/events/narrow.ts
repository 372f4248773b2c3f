import { badRequest } from '@heddle/api/errors.ts';

/** The operators that an event's message can be held against, by every name that clients use. */
const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['channel', 'channel'],
  ['stream', 'channel'],
  ['topic', 'topic'],
  ['subject', 'topic'],
  ['sender', 'sender'],
  ['is', 'is'],
]);
/** The states that a message can be in when it is announced. */
const IS: ReadonlyMap<string, string> = new Map([
  ['dm', 'dm'],
  ['private', 'dm'],
  ['mentioned', 'mentioned'],
  ['unread', 'unread'],
  ['starred', 'starred'],
  ['alerted', 'alerted'],
  ['resolved', 'resolved'],
]);

/**
 * The narrow of an event queue with one name for each operator, and each term once. Messages are held against it when they are announced
 * (messages/queue-narrow.ts). An operand of `is` that is not known here belongs to a later version, or to clients that name what they
 * show: it lets everything through. `is:followed` is known, and is not told of a message that is just being announced.
 * @throws ApiError for an operator that does not exist, and for `is:followed`
 */
export function eventNarrow(terms: readonly (readonly string[])[]): readonly (readonly [string, string])[] {
  const narrow = terms.flatMap(([name = '', operand = '']) => {
    const operator = OPERATORS.get(name);
    if (operator === undefined) throw badRequest(`Operator ${name} not supported.`);
    if (operator !== 'is') return [[operator, operand] as const];
    if (operand === 'followed') throw badRequest(`Operand ${operand} not supported.`);
    const known = IS.get(operand);
    return known === undefined ? [] : [[operator, known] as const];
  });
  return [...new Map(narrow.map((term) => [term.join(' '), term])).values()];
}
