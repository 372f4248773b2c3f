import { type Contribution, type Fields, isIndex, nextIndex } from './widget.ts';

export interface PollOption {
  /** Identifies the option in votes: `canned,INDEX` of the definition, or `USER_ID,INDEX`. */
  readonly key: string;
  readonly text: string;
  /** Who voted for it, in the order of the votes. */
  readonly voterIds: ReadonlySet<number>;
}

export interface Poll {
  readonly question: string;
  readonly options: readonly PollOption[];
}

interface State {
  question: string;
  readonly options: Map<string, { readonly key: string; readonly text: string; readonly voterIds: Set<number> }>;
}

/** The state of a poll after all contributions. */
export function pollOf(definition: Fields, contributions: readonly Contribution[], authorId: number): Poll {
  const { question, options } = definition;
  const state: State = { question: typeof question === 'string' ? question : '', options: new Map() };
  const first: readonly unknown[] = Array.isArray(options) ? options : [];
  for (const [index, text] of first.entries()) addOption(state, `canned,${index}`, text);
  for (const { senderId, data } of contributions) {
    switch (data.type) {
      case 'new_option':
        if (isIndex(data.idx)) addOption(state, `${senderId},${data.idx}`, data.option);
        break;
      case 'question':
        if (senderId === authorId && typeof data.question === 'string') state.question = data.question;
        break;
      case 'vote':
        vote(state, senderId, data);
    }
  }
  return { question: state.question, options: [...state.options.values()] };
}

/** Two options with the same text are one. */
function addOption({ options }: State, key: string, text: unknown): void {
  if (typeof text !== 'string' || options.values().some((option) => option.text === text)) return;
  options.set(key, { key, text, voterIds: new Set() });
}

function vote({ options }: State, senderId: number, { key, vote: value }: Fields): void {
  const option = typeof key === 'string' ? options.get(key) : undefined;
  if (value === 1) option?.voterIds.add(senderId);
  if (value === -1) option?.voterIds.delete(senderId);
}

export function voteFor(option: PollOption, ownId: number): Fields {
  return { type: 'vote', key: option.key, vote: option.voterIds.has(ownId) ? -1 : 1 };
}

export function newOption({ options }: Poll, text: string, ownId: number): Fields {
  const own = options.flatMap(({ key }) => (key.startsWith(`${ownId},`) ? [Number(key.split(',')[1])] : []));
  return { type: 'new_option', idx: nextIndex(own), option: text };
}

export function newQuestion(question: string): Fields {
  return { type: 'question', question };
}
