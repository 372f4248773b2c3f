import { badNarrow, badRequest } from '@heddle/api/errors.ts';

/** The operators that an event's message can be held against, by every name that clients use. */
const OPERATORS: ReadonlyMap<string, string> = new Map([
  ['channel', 'channel'],
  ['stream', 'channel'],
  ['topic', 'topic'],
  ['subject', 'topic'],
  ['sender', 'sender'],
  ['is', 'is'],
]);
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
 * The narrow of an event queue with one name for each operator. Messages are held against it when they are announced
 * (messages/queue-narrow.ts).
 * @throws ApiError for an operator or operand that does not exist
 */
export function eventNarrow(terms: readonly (readonly string[])[]): readonly (readonly [string, string])[] {
  return terms.map(([name = '', operand = '']) => {
    const operator = OPERATORS.get(name);
    if (operator === undefined) throw badRequest(`Operator ${name} not supported.`);
    if (operator !== 'is') return [operator, operand] as const;
    const known = IS.get(operand);
    if (known === undefined) throw badNarrow(`unknown 'is' operand: ${operand}`);
    return [operator, known] as const;
  });
}
