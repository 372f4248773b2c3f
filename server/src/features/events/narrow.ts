import { badRequest } from '@heddle/api/errors.ts';
import { IS_WORDS, isWordNamed, NARROW_OPERATORS, operatorNamed } from '@heddle/api/narrow-vocabulary.ts';

/** The names of operators that can be applied to the message of an event. */
const NAMES: ReadonlySet<string> = new Set(Object.values(NARROW_OPERATORS).flatMap(({ namesInQueue }) => namesInQueue));

/**
 * The narrow of an event queue, with one name per operator and each term once. It is applied to new messages (messages/messages/queue-narrow.ts). An
 * unknown operand of `is` belongs to a later version, or to clients that name their view; it excludes nothing. `is:followed` is known, and
 * does not apply to a new message.
 * @throws ApiError for an operator that does not exist, and for `is:followed`
 */
export function eventNarrow(terms: readonly (readonly string[])[]): readonly (readonly [string, string])[] {
  const narrow = terms.flatMap(([name = '', operand = '']): readonly (readonly [string, string])[] => {
    const operator = NAMES.has(name) ? operatorNamed(name) : undefined;
    if (operator === undefined) throw badRequest(`Operator ${name} not supported.`);
    if (operator !== 'is') return [[operator, operand]];
    const word = isWordNamed(operand);
    const use = word === undefined ? 'ignored' : IS_WORDS[word].inQueue;
    if (use === 'refused') throw badRequest(`Operand ${operand} not supported.`);
    return word === undefined || use === 'ignored' ? [] : [[operator, word]];
  });
  return [...new Map(narrow.map((term) => [term.join(' '), term])).values()];
}
