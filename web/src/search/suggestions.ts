import { isContradictory } from '@heddle/client/model/messages/contradictory.ts';
import { knownTopics } from '@heddle/client/model/messages/known-topics.ts';
import type { Narrow, Term } from '@heddle/client/model/messages/narrow.ts';
import { CHANNELS_WORDS, HAS_WORDS, IN_WORDS } from '@heddle/client/model/messages/narrow-vocabulary.ts';
import type { Model } from '@heddle/client/model/model.ts';
import { folded } from '@heddle/client/model/people/text-folding.ts';
import { type Message, msg, t } from '../base/i18n.ts';
import { matcherOf } from '../base/text-filter.ts';
import { channelName, topicLabel } from '../shown/names.ts';
import type { FoundFile } from './find-files.ts';
import { STATE_NAMES, type TypedOperator, typingOf } from './query.ts';
import { CONTENTS, narrowText, STATES, termText } from './term-texts.ts';

/** What the search offers. */
export type Suggestion =
  /** Searches for the text, with the conditions so far. */
  | { readonly kind: 'search'; readonly key: string; readonly text: string }
  /** Adds a condition. `rest` is the text that stays in the field. */
  | { readonly kind: 'term'; readonly key: string; readonly term: Term; readonly text: string; readonly rest: string }
  /** Puts an operator into the field. */
  | {
      readonly kind: 'operator';
      readonly key: string;
      readonly operator: string;
      readonly text: string;
      readonly insert: string;
    }
  /** Leads to the conversation with a person. */
  | { readonly kind: 'person'; readonly key: string; readonly userId: number }
  /** Leads to a file. */
  | { readonly kind: 'file'; readonly key: string; readonly file: FoundFile }
  /** Repeats an earlier search. */
  | { readonly kind: 'recent'; readonly key: string; readonly narrow: Narrow; readonly text: string }
  /** Removes the earlier searches. */
  | { readonly kind: 'forget'; readonly key: string };

const MAX_SUGGESTIONS_PER_KIND = 5;
const MAX_PEOPLE = 3;
const MAX_SUGGESTIONS_PER_OPERATOR = 12;
/** The server refuses longer ones. */
const MAX_SEARCH_CHARACTERS = 500;

/** The server refuses these without an account. */
const OPERATORS_OF_ACCOUNTS: ReadonlySet<string> = new Set(['dm', 'dm-including', 'is', 'in']);

/** What each operator finds, in the order in which the search offers them. */
const OPERATOR_HINTS: Readonly<Record<TypedOperator, Message>> = {
  channel: msg('messages in a channel'),
  topic: msg('messages in a topic'),
  sender: msg('messages of a person'),
  dm: msg('a direct conversation'),
  'dm-including': msg('all direct messages with a person'),
  is: msg('unread, starred, mentioned, resolved …'),
  has: msg('with links, images, files or reactions'),
  near: msg('around a date (2026-03-05) or a message'),
  with: msg('the conversation of a message'),
  in: msg('all messages, or without muted ones'),
  channels: msg('all public channels, also those you did not join'),
  id: msg('one message'),
};

/** What the search has found besides conditions. */
interface Known {
  /** Earlier searches, the last one first. */
  readonly recent: readonly Narrow[];
  /** Files whose names match the text. None if there are conditions. */
  readonly files: readonly FoundFile[];
}

/**
 * Suggests nothing that leads to a search which the server refuses.
 * @param text what is in the field  @param terms the conditions so far
 */
export function suggestionsFor(
  model: Model,
  text: string,
  terms: Narrow,
  { recent, files }: Known,
): readonly Suggestion[] {
  const typing = typingOf(text);
  const { operator, value, negated, before } = typing;
  if (operator !== undefined) {
    return possible(model, termsOf(model, operator, value, terms), terms, negated)
      .slice(0, MAX_SUGGESTIONS_PER_OPERATOR)
      .map((term) => termSuggestion(model, term, before.trimEnd()));
  }
  if (value === '' && !negated) {
    return [
      ...recent
        .filter((narrow) => !isContradictory(narrow))
        .map((narrow): Suggestion => {
          return { kind: 'recent', key: `recent ${JSON.stringify(narrow)}`, narrow, text: narrowText(model, narrow) };
        }),
      ...(recent.length > 0 ? [{ kind: 'forget', key: 'forget' } as const] : []),
      ...operators(model, '', terms, false),
    ];
  }
  const search: Suggestion = { kind: 'search', key: 'search', text: value };
  const guesses = possible(model, guessed(model, value, terms), terms, negated).map((term) =>
    termSuggestion(model, term, ''),
  );
  if (negated) return [...guesses, ...operators(model, value, terms, negated)];
  return [
    ...(value.length > MAX_SEARCH_CHARACTERS || isContradictory(terms) ? [] : [search]),
    // With conditions, the user looks for messages.
    ...(terms.length === 0 && !model.account.isSpectator ? peopleNamed(model, value) : []),
    ...files.map((file): Suggestion => ({ kind: 'file', key: `file ${file.path}`, file })),
    ...guesses,
    ...operators(model, value, terms, negated),
  ];
}

/** The terms that the server accepts beside those so far. Spectators have no state, and nobody writes to them. */
function possible(model: Model, found: readonly Term[], terms: Narrow, negated: boolean): readonly Term[] {
  return found
    .map((term) => (negated ? { ...term, negated } : term))
    .filter((term) => !isContradictory(withTerm(terms, term)))
    .filter(({ operator }) => !model.account.isSpectator || !OPERATORS_OF_ACCOUNTS.has(operator));
}

/** The conditions with another one. A conversation replaces the one that is chosen already. */
export function withTerm(terms: Narrow, term: Term): Narrow {
  return [...terms.filter((one) => !isConversation(one) || !isConversation(term)), term];
}

function peopleNamed(model: Model, value: string): Suggestion[] {
  const options = { limit: MAX_PEOPLE, relevance: relevanceOf(model) };
  return model.users.search(value, options).map(({ id }) => ({ kind: 'person', key: `person ${id}`, userId: id }));
}

function termSuggestion(model: Model, term: Term, rest: string): Suggestion {
  return { kind: 'term', key: `term ${JSON.stringify(term)}`, term, text: termText(model, term), rest };
}

function operators(model: Model, beginning: string, terms: Narrow, negated: boolean): Suggestion[] {
  const begin = beginning.toLowerCase();
  const named = Object.keys(OPERATOR_HINTS)
    .filter((operator) => operator.startsWith(begin))
    .map((operator): Term => ({ operator, operand: '' }));
  return possible(model, named, terms, negated).map(({ operator }) => {
    const insert = `${negated ? '-' : ''}${operator}:`;
    const text = t(OPERATOR_HINTS[operator as TypedOperator]);
    return { kind: 'operator', key: `operator ${operator}`, operator, text, insert };
  });
}

/** The conditions that a word without an operator can mean. */
function guessed(model: Model, value: string, terms: Narrow): Term[] {
  const begin = folded(value);
  const people = model.users.search(value, { limit: 3, relevance: relevanceOf(model) });
  const states = STATE_NAMES.filter((name) => name.startsWith(begin) || folded(t(STATES[name])).startsWith(begin));
  const contents = HAS_WORDS.filter(
    (name) => name.startsWith(begin) || folded(t(CONTENTS[name])).includes(` ${begin}`),
  );
  return [
    ...channelTerms(model, value, terms).slice(0, 3),
    ...people.flatMap(({ id }): Term[] => [
      { operator: 'sender', operand: id },
      { operator: 'dm', operand: withPerson(terms, id) },
    ]),
    ...states.map((operand) => ({ operator: 'is', operand })),
    ...contents.map((operand) => ({ operator: 'has', operand })),
    ...topicTerms(model, value, terms).slice(0, 3),
  ].filter((term) => !terms.some((one) => JSON.stringify(one) === JSON.stringify(term)));
}

/** Another person joins those of the direct conversation that is chosen already. */
function withPerson(terms: Narrow, id: number): readonly number[] {
  const chosen = terms.find(isConversation)?.operand;
  return typeof chosen === 'object' ? [...new Set([...chosen, id])].sort((a, b) => a - b) : [id];
}

/** Whether the term chooses a direct conversation, of which there can be one. */
function isConversation({ operator, negated }: Term): boolean {
  return operator === 'dm' && !negated;
}

function termsOf(model: Model, operator: TypedOperator, value: string, terms: Narrow): Term[] {
  switch (operator) {
    case 'channel':
      return channelTerms(model, value.replace(/^#/, ''), terms);
    case 'topic':
      return topicTerms(model, value, terms);
    case 'sender': {
      const isMe = !model.account.isSpectator && 'me'.startsWith(value.toLowerCase());
      return [...(isMe ? [{ operator, operand: 'me' }] : []), ...personTerms(model, operator, value)];
    }
    case 'dm': {
      const names = value.split(',');
      const ids = names.slice(0, -1).flatMap((name) => model.users.byName(name.trim())[0]?.id ?? []);
      return people(model, names.at(-1) ?? '').map((id) => ({
        operator,
        operand: [...new Set([...ids, id])].sort((a, b) => a - b),
      }));
    }
    case 'dm-including':
      return personTerms(model, operator, value);
    case 'is':
      return beginning(operator, STATE_NAMES, value);
    case 'has':
      return beginning(operator, HAS_WORDS, value);
    case 'in':
      return beginning(operator, IN_WORDS, value);
    case 'channels':
      return beginning(operator, CHANNELS_WORDS, value);
    case 'near':
      return /^\d{4}-\d{2}-\d{2}$/.test(value) ? [{ operator, operand: value }] : messageTerms(operator, value);
    case 'with':
    case 'id':
      return messageTerms(operator, value);
  }
}

function messageTerms(operator: string, value: string): Term[] {
  return /^\d{1,15}$/.test(value) ? [{ operator, operand: Number(value) }] : [];
}

function beginning(operator: string, names: readonly string[], value: string): Term[] {
  return names.filter((name) => name.startsWith(value.toLowerCase())).map((operand) => ({ operator, operand }));
}

function personTerms(model: Model, operator: string, value: string): Term[] {
  return people(model, value).map((operand) => ({ operator, operand }));
}

function people(model: Model, value: string): number[] {
  const options = { limit: MAX_SUGGESTIONS_PER_OPERATOR, relevance: relevanceOf(model) };
  return model.users.search(value.trim(), options).map(({ id }) => id);
}

/** Those to whom the user wrote lately come first. */
function relevanceOf(model: Model): (userId: number) => number {
  const ranks = new Map<number, number>();
  const conversations = model.directConversations.list().slice(0, 100);
  for (const [index, { place }] of conversations.entries()) {
    for (const id of place.userIds) if (!ranks.has(id)) ranks.set(id, conversations.length - index);
  }
  return (id) => ranks.get(id) ?? 0;
}

function channelTerms(model: Model, value: string, terms: Narrow): Term[] {
  if (terms.some(({ operator, negated }) => operator === 'channel' && !negated)) return [];
  const matches = matcherOf(value);
  const begin = folded(value);
  const rank = ({ name, isSubscribed }: { name: string; isSubscribed: boolean }) =>
    (isSubscribed ? 2 : 0) + (folded(name).startsWith(begin) ? 1 : 0);
  return [...model.channels.all.values()]
    .filter(({ name, isArchived }) => !isArchived && matches(name))
    .sort((a, b) => rank(b) - rank(a) || a.name.localeCompare(b.name))
    .slice(0, MAX_SUGGESTIONS_PER_OPERATOR)
    .map(({ id }) => ({ operator: 'channel', operand: id }));
}

/** Topics of the chosen channel, else of all. What the user typed is a topic, too. */
function topicTerms(model: Model, value: string, terms: Narrow): Term[] {
  const channel = terms.find(({ operator, negated }) => operator === 'channel' && !negated)?.operand;
  const isChosen = typeof channel === 'number';
  const known = isChosen
    ? model.cache.topics.of(channel).map(({ topic }) => topic)
    : knownTopics(model).map(({ topic }) => topic);
  const matches = matcherOf(value);
  const found = [...new Set(known)].filter((topic) => matches(topicLabel(model, topic).text));
  const typed =
    isChosen && value.trim() !== '' && !found.some((topic) => folded(topic) === folded(value)) ? [value.trim()] : [];
  return [...found.slice(0, MAX_SUGGESTIONS_PER_KIND * 2), ...typed].map((operand) => ({ operator: 'topic', operand }));
}

/** The heading above suggestions of a kind. */
export function headingOf({ kind }: Suggestion): string {
  switch (kind) {
    case 'search':
      return t('Search');
    case 'term':
      return t('Suggestions');
    case 'operator':
      return t('Conditions');
    case 'person':
      return t('People');
    case 'file':
      return t('Files');
    case 'recent':
    case 'forget':
      return t('Recent searches');
  }
}

/** The name of the channel in which the search looks, for its placeholder. */
export function placeholderFor(model: Model, terms: Narrow): string {
  const channel = terms.find(({ operator }) => operator === 'channel')?.operand;
  return typeof channel === 'number'
    ? t('Search in #{channel}', { channel: channelName(model, channel) })
    : t('Search messages');
}
