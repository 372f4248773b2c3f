import { credentialsMissing } from '@heddle/api/errors.ts';
import { NARROW_OPERATORS, operatorNamed } from '@heddle/api/narrow-vocabulary.ts';
import type { WireTerm } from './narrow.ts';

/** The operators for spectators: none that depends on a user. */
const OPERATORS: ReadonlySet<string> = new Set(
  Object.values(NARROW_OPERATORS).flatMap(({ namesForSpectators }) => namesForSpectators),
);

/**
 * Decodes the narrow of a request without credentials. It must contain `channels:web-public`. So a client that lost its
 * credentials gets an error instead of the view of spectators.
 * @throws ApiError `UNAUTHORIZED` for any other narrow
 */
export function spectatorNarrow(terms: readonly WireTerm[]): readonly WireTerm[] {
  const said = terms.map((term) => ({ term, ...fieldsOf(term) }));
  // Clients add `in:home` to show everything. It excludes muted messages, and spectators have none.
  const kept = said.filter(({ operator, operand, negated }) => !(operator === 'in' && operand === 'home' && !negated));
  const isWebPublic = kept.some(
    ({ operator, operand, negated }) => operatorNamed(operator) === 'channels' && operand === 'web-public' && !negated,
  );
  if (!isWebPublic || !kept.every(({ operator }) => OPERATORS.has(operator))) throw credentialsMissing();
  return kept.map(({ term }) => term);
}

function fieldsOf(term: WireTerm) {
  if ('operator' in term) return { ...term, negated: term.negated ?? false };
  const [operator = '', operand = ''] = term;
  return { operator, operand, negated: false };
}
