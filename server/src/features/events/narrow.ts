import { badRequest } from '@heddle/api/errors.ts';

/** The operators that can be applied to the message of an event, by every name that clients use. */
const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['channel', 'channel'],
  ['stream', 'channel'],
  ['topic', 'topic'],
  ['subject', 'topic'],
  ['sender', 'sender'],
  ['is', 'is'],
]);
/** The states that a new message can have. */
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
 * The narrow of an event queue, with one name per operator and each term once. It is applied to new messages (messages/messages/queue-narrow.ts). An
 * unknown operand of `is` belongs to a later version, or to clients that name their view; it excludes nothing. `is:followed` is known, and
 * does not apply to a new message.
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
