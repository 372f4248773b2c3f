import {
  type CurrentOperator,
  isOperator,
  isStateWord,
  type Narrow,
  normalizedTerm,
  type Term,
} from '@heddle/client/model/messages/narrow.ts';
import {
  CHANNELS_WORDS,
  HAS_WORDS,
  IN_WORDS,
  IS_WORDS,
  type IsWord,
} from '@heddle/client/model/messages/narrow-vocabulary.ts';

/** How a search finds what its text names. */
export interface QueryNames {
  channelIdOf(name: string): number | undefined;
  /** @param name a name that only one person has, or an address */
  userIdOf(name: string): number | undefined;
}

/** The operators that a text can contain. What messages must contain has none in a text. */
export type TypedOperator = Exclude<CurrentOperator, 'search'>;

/** The words of `is:` that a text can contain: not the opposites of others. */
export type ShownState = {
  [Word in IsWord]: (typeof IS_WORDS)[Word] extends { readonly oppositeOf: string } ? never : Word;
}[IsWord];

export const STATE_NAMES = Object.keys(IS_WORDS).filter(isShownState);

function isShownState(name: string): name is ShownState {
  return isStateWord(name) && !('oppositeOf' in IS_WORDS[name]);
}

/** A part of a query: `-sender:"Ada Weaver"`, or a word. */
interface Token {
  readonly text: string;
  readonly operator: TypedOperator | undefined;
  readonly operand: string;
  readonly negated: boolean;
}

const TOKEN = /(-?)([a-z-]+):(?:"([^"]*)"|(\S*))|"[^"]*"|\S+/gi;

function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map(([whole, minus, name, quoted, plain]) => {
    const operator = typedOperator(name);
    if (operator === undefined) {
      return { text: whole, operator: undefined, operand: whole, negated: false };
    }
    // Older clients write a space as `+`.
    return { text: whole, operator, operand: quoted ?? (plain ?? '').replaceAll('+', ' '), negated: minus === '-' };
  });
}

/** The operator by a current or older name. */
function typedOperator(name = ''): TypedOperator | undefined {
  const { operator } = normalizedTerm({ operator: name, operand: '' });
  return isOperator(operator) && operator !== 'search' ? operator : undefined;
}

/** Reads the conditions that a text contains. The rest of the text is what messages must contain. */
export function readQuery(text: string, names: QueryNames): { readonly terms: Narrow; readonly rest: string } {
  const terms: Term[] = [];
  const rest: string[] = [];
  for (const token of tokensOf(text)) {
    const term = termOf(token, names);
    if (term === undefined) rest.push(token.text);
    else terms.push(term);
  }
  return { terms, rest: rest.join(' ') };
}

/** What looks like conditions in a text that messages must contain, for example `sender:mia` if several people have this name. */
export function misunderstood(text: string): readonly string[] {
  return tokensOf(text).flatMap((token) => (token.operator === undefined ? [] : [token.text]));
}

/**
 * Reads the conditions that the user has completed with a space, so that they become pills while typing. Undefined if there
 * is none.
 */
export function completedTerms(
  text: string,
  names: QueryNames,
): { readonly terms: Narrow; readonly rest: string } | undefined {
  if (!text.endsWith(' ') || (text.match(/"/g)?.length ?? 0) % 2 === 1) return undefined;
  const read = readQuery(text, names);
  return read.terms.length === 0 ? undefined : { terms: read.terms, rest: read.rest === '' ? '' : `${read.rest} ` };
}

function termOf({ operator, operand, negated }: Token, names: QueryNames): Term | undefined {
  const value =
    operator === undefined || (operand === '' && operator !== 'topic')
      ? undefined
      : operandOf(operator, operand, names);
  if (operator === undefined || value === undefined) return undefined;
  return { operator, operand: value, ...(negated && { negated }) };
}

function operandOf(operator: TypedOperator, operand: string, names: QueryNames): Term['operand'] | undefined {
  const lower = operand.toLowerCase();
  switch (operator) {
    case 'channel':
      return names.channelIdOf(operand.replace(/^#/, ''));
    case 'channels':
      return CHANNELS_WORDS.find((word) => word === lower);
    case 'dm': {
      const ids = operand.split(',').map((name) => names.userIdOf(name.trim()));
      return ids.every((id) => id !== undefined) ? ids : undefined;
    }
    case 'dm-including':
      return names.userIdOf(operand);
    case 'sender':
      return lower === 'me' ? 'me' : names.userIdOf(operand);
    case 'is':
      return STATE_NAMES.find((name) => name === normalizedTerm({ operator, operand }).operand);
    case 'has':
      return HAS_WORDS.find((name) => lower === name || lower === `${name}s`);
    case 'in':
      return IN_WORDS.find((word) => word === lower);
    case 'near':
      return messageId(operand) ?? dateOf(operand);
    case 'with':
    case 'id':
      return messageId(operand);
    case 'topic':
      return operand;
  }
}

function messageId(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** A date such as `2026-03-05`, as it is. */
function dateOf(text: string): string | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? text : undefined;
}

/** The text that reads as this term again, for a user who edits it. */
export function textOfTerm({ operator, negated }: Term, value: string): string {
  const quoted = /\s/.test(value) ? `"${value.replaceAll('"', '')}"` : value;
  return `${negated ? '-' : ''}${operator === 'search' ? '' : `${operator}:`}${operator === 'search' ? value : quoted}`;
}

/** What the user types now: the operator before the cursor, and the beginning of its value. */
export interface Typing {
  /** Undefined if the user types a word without an operator. */
  readonly operator: TypedOperator | undefined;
  readonly value: string;
  readonly negated: boolean;
  /** The text before what is typed. */
  readonly before: string;
}

const UNFINISHED = /(?:^|\s)((-?)([a-z-]+):"?([^"]*))$/i;

export function typingOf(text: string): Typing {
  const match = UNFINISHED.exec(text);
  const [, whole = '', minus = '', name = '', value = ''] = match ?? [];
  const operator = typedOperator(name);
  if (operator === undefined) {
    const negated = /^-\S*$/.test(text);
    return { operator: undefined, value: negated ? text.slice(1) : text.trim(), negated, before: '' };
  }
  return { operator, value, negated: minus === '-', before: text.slice(0, text.length - whole.length) };
}
