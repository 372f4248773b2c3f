/** The client's part of the vocabulary of narrows. */
import { CHANNELS_WORDS, HAS_WORDS, IN_WORDS, IS_WORDS, NARROW_OPERATORS } from '../../api/src/narrow-vocabulary.ts';

/** What only the server uses. */
const OF_SERVER: ReadonlySet<string> = new Set(['namesInQueue', 'namesForSpectators', 'inQueue']);

/** The text of `client/src/model/messages/narrow-vocabulary.ts`, not yet formatted. */
export function writeNarrowVocabulary(): string {
  return [
    '/** Generated from the contract (`npm run generate`). `api/src/narrow-vocabulary.ts` explains the fields. */',
    constant('NARROW_OPERATORS', NARROW_OPERATORS, 'The operators of narrows.'),
    'export type NarrowOperator = keyof typeof NARROW_OPERATORS;',
    constant('IS_WORDS', IS_WORDS, 'The words of `is:`, in the order in which an app offers them.'),
    'export type IsWord = keyof typeof IS_WORDS;',
    constant('HAS_WORDS', HAS_WORDS, 'The words of `has:`, in the order in which an app offers them.'),
    'export type HasWord = (typeof HAS_WORDS)[number];',
    constant('IN_WORDS', IN_WORDS, 'The words of `in:`.'),
    constant('CHANNELS_WORDS', CHANNELS_WORDS, 'The words of `channels:`.'),
  ].join('\n');
}

/** JSON is an expression of the language too. The formatter removes the quotes that it does not need. */
function constant(name: string, value: object, comment: string): string {
  const json = JSON.stringify(value, (key, field: unknown) => (OF_SERVER.has(key) ? undefined : field));
  return `/** ${comment} */\nexport const ${name} = ${json} as const;`;
}
