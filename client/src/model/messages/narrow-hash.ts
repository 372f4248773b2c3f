import { isOperator, type Narrow, normalizedTerm, type Term } from './narrow.ts';
import { NARROW_OPERATORS } from './narrow-vocabulary.ts';

/**
 * Fragments of URLs that show a narrow, such as `#narrow/channel/5-design/topic/new.20logo/near/120`, as all clients of
 * the API write them.
 */

/** The names that make fragments readable. Ids alone decide. */
export interface NamesForHash {
  channelName(channelId: number): string | undefined;
  userName(userId: number): string | undefined;
}

/** How older fragments name things. */
export interface IdsForHash {
  channelIdOf(name: string): number | undefined;
  userIdOf(email: string): number | undefined;
}

const PREFIX = '#narrow/';

export function hashOfNarrow(narrow: Narrow, names: NamesForHash): string {
  const parts = narrow.flatMap(({ operator, operand, negated }) => [
    `${negated ? '-' : ''}${encodePart(operator)}`,
    operandOf({ operator, operand }, names),
  ]);
  return PREFIX + parts.join('/');
}

function operandOf({ operator, operand }: Term, names: NamesForHash): string {
  const kind = operandKindOf(operator);
  if (kind === 'channel' && typeof operand === 'number') {
    return `${operand}-${slugOf(names.channelName(operand) ?? 'unknown')}`;
  }
  if (kind === 'users' || kind === 'user' || kind === 'sender') {
    const ids = typeof operand === 'object' ? operand : [operand];
    const [only] = ids;
    const isOne = ids.length === 1 && typeof only === 'number';
    const slug = isOne ? names.userName(only) : ids.length > 1 ? 'group' : undefined;
    return slug === undefined ? encodePart(ids.join(',')) : `${ids.join(',')}-${slugOf(slug)}`;
  }
  return encodePart(String(operand));
}

/** Undefined for an operator of a later version. */
function operandKindOf(operator: string) {
  return isOperator(operator) ? NARROW_OPERATORS[operator].operand : undefined;
}

function slugOf(name: string): string {
  return encodePart(name.replaceAll(' ', '-'));
}

const REPLACEMENTS: Readonly<Record<string, string>> = { '%': '.', '.': '.2E', '(': '.28', ')': '.29' };

function encodePart(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[%().]/g,
    (character) => REPLACEMENTS[character] ?? character,
  );
}

/** Undefined if the part is not valid. */
function decodePart(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('.', '%'));
  } catch {
    return undefined;
  }
}

/**
 * Reads a fragment, with current or older names. Returns undefined if it does not show a narrow, or names a channel that
 * the user does not know.
 */
export function narrowOfHash(hash: string, ids: IdsForHash): Narrow | undefined {
  if (!hash.startsWith(PREFIX)) return undefined;
  const parts = hash.slice(PREFIX.length).split('/');
  if (parts.at(-1) === '') parts.pop();
  const terms: Term[] = [];
  for (let index = 0; index < parts.length; index += 2) {
    const name = decodePart(parts[index] ?? '');
    const value = decodePart(parts[index + 1] ?? '');
    if (name === undefined || value === undefined || name === '') return undefined;
    const negated = name.startsWith('-');
    const term = termOf(negated ? name.slice(1) : name, value, ids);
    if (term === undefined) return undefined;
    terms.push(negated ? { ...term, negated } : term);
  }
  return terms.length === 0 ? undefined : terms;
}

function termOf(name: string, value: string, ids: IdsForHash): Term | undefined {
  const { operator } = normalizedTerm({ operator: name, operand: value });
  switch (operandKindOf(operator)) {
    case 'channel': {
      const id = leadingId(value) ?? ids.channelIdOf(value) ?? ids.channelIdOf(value.replaceAll('-', ' '));
      return id === undefined ? undefined : { operator, operand: id };
    }
    case 'users': {
      const users = usersOf(value, ids);
      return users && { operator, operand: users };
    }
    case 'user': {
      const users = usersOf(value, ids);
      return users && { operator, operand: users[0] ?? 0 };
    }
    case 'sender': {
      const id = value === 'me' ? undefined : (leadingId(value) ?? ids.userIdOf(value));
      return { operator, operand: id ?? value };
    }
    case 'message': {
      const id = Number(value);
      return Number.isSafeInteger(id) && id >= 0 ? { operator, operand: id } : undefined;
    }
    case 'topic':
    case 'word':
    case 'text':
    case undefined:
      return normalizedTerm({ operator, operand: value });
  }
}

/** `5-design` names 5. */
function leadingId(value: string): number | undefined {
  const [, digits] = /^(\d+)(?:-|$)/.exec(value) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** `3,5-group` names two users, and so did addresses in older fragments. */
function usersOf(value: string, ids: IdsForHash): readonly number[] | undefined {
  const [, list] = /^(\d+(?:,\d+)*)(?:-|$)/.exec(value) ?? [];
  if (list !== undefined) return [...new Set(list.split(',').map(Number))].sort((a, b) => a - b);
  const users = value.split(',').map((email) => ids.userIdOf(email.trim()));
  if (value === '') return [];
  return users.every((id) => id !== undefined) ? users : undefined;
}
