import { credentialsMissing } from '@heddle/api/errors.ts';
import type { WireTerm } from './narrow.ts';

/** What spectators can narrow by: nothing that is anybody's own. */
const OPERATORS: ReadonlySet<string> = new Set([
  ...['channel', 'stream', 'channels', 'streams', 'topic', 'sender', 'has', 'search', 'near', 'id', 'with'],
]);

/**
 * The narrow of a request without credentials. It must say `channels:web-public`: a client that has only lost its credentials is told so,
 * and not shown what spectators see.
 * @throws ApiError `UNAUTHORIZED` for any other narrow
 */
export function spectatorNarrow(terms: readonly WireTerm[]): readonly WireTerm[] {
  const said = terms.map((term) => ({ term, ...fieldsOf(term) }));
  // Clients that show everything begin so; it leaves out what is muted.
  const kept = said.filter(({ operator, operand, negated }) => !(operator === 'in' && operand === 'home' && !negated));
  const isWebPublic = kept.some(
    ({ operator, operand, negated }) =>
      (operator === 'channels' || operator === 'streams') && operand === 'web-public' && !negated,
  );
  if (!isWebPublic || !kept.every(({ operator }) => OPERATORS.has(operator))) throw credentialsMissing();
  return kept.map(({ term }) => term);
}

function fieldsOf(term: WireTerm) {
  if ('operator' in term) return { ...term, negated: term.negated ?? false };
  const [operator = '', operand = ''] = term;
  return { operator, operand, negated: false };
}
