import { Subject } from '@heddle/client/model/changes.ts';
import type { Place } from '@heddle/client/model/messages/places.ts';
import { useEffect, useId, useMemo, useRef } from 'react';
import { useApp } from '../../base/app.tsx';
import type { BoxText } from '../text/box-text.ts';
import { isPlainName } from '../text/conversation-links.ts';
import { lazyEmoji } from './emoji.ts';
import { loadPeopleToMention } from './mention-people.ts';
import { channelOfTrigger, type SuggestionContext, suggestionsFor } from './sources.ts';
import type { Suggestion } from './suggestion.ts';
import { type Trigger, triggerAt } from './trigger.ts';

interface TypeaheadContext extends SuggestionContext {
  /** Loads who is likely to be mentioned. Undefined if nothing is missing. */
  readonly loadPeople: () => Promise<void> | undefined;
}

/** The suggestions for the text before the cursor, and the chosen one. */
export class TypeaheadState {
  readonly changes = new Subject();
  suggestions: readonly Suggestion[] = [];
  index = 0;
  readonly #text: BoxText;
  readonly #context: () => TypeaheadContext;
  #trigger: Trigger | undefined;
  /** The trigger that the user closed with Escape. It stays closed until another one begins. */
  #closedAt: number | undefined;

  constructor(text: BoxText, context: () => TypeaheadContext) {
    this.#text = text;
    this.#context = context;
  }

  get isOpen(): boolean {
    return this.suggestions.length > 0;
  }

  /** Looks at the text before the cursor. Call it after each edit of the user. */
  update(): void {
    const text = this.#text;
    const { start, end } = text.selection;
    const trigger = start === end ? triggerAt(text.value, end) : undefined;
    if (trigger === undefined || trigger.from !== this.#closedAt) this.#closedAt = undefined;
    const found = trigger === undefined || this.#closedAt !== undefined ? [] : suggestionsFor(this.#context(), trigger);
    if (trigger !== undefined && this.#closedAt === undefined) this.#loadTopics(trigger);
    if (trigger?.kind === 'mention') this.#loadPeople();
    const isEmpty = found.length === 0;
    this.#trigger = trigger;
    if (isEmpty && !this.isOpen) return;
    this.suggestions = found;
    this.index = 0;
    this.changes.changed();
  }

  /** Without a connection, those who are known are offered. The next character tries again. */
  #loadPeople(): void {
    this.#context()
      .loadPeople()
      ?.then(
        () => this.refresh(),
        () => undefined,
      );
  }

  #loadTopics(trigger: Trigger): void {
    if (trigger.kind !== 'topic' && (trigger.kind !== 'channel' || trigger.query === '')) return;
    const context = this.#context();
    const { topics, recent } = context.model.cache;
    const id = channelOfTrigger(context, trigger)?.id;
    if (id !== undefined && topics.stateOf(id) === 'unknown') void topics.load(id).then(() => this.refresh());
    // Topics of other channels.
    if (trigger.kind === 'channel' && recent.state === 'unknown') void recent.load().then(() => this.refresh());
  }

  /** The cursor moved without an edit. Suggestions for another part of the text make no sense then. */
  moved(): void {
    if (!this.isOpen || this.#trigger === undefined) return;
    const { start, end } = this.#text.selection;
    const trigger = start === end ? triggerAt(this.#text.value, end) : undefined;
    if (trigger?.from !== this.#trigger.from || trigger.query !== this.#trigger.query) this.close();
  }

  close(): void {
    if (!this.isOpen) return;
    this.suggestions = [];
    this.changes.changed();
  }

  /** The list that the trigger searches was loaded. */
  refresh(): void {
    if (this.#trigger !== undefined && document.activeElement === this.#text.element) this.update();
  }

  point(index: number): void {
    if (index === this.index) return;
    this.index = index;
    this.changes.changed();
  }

  accept(suggestion: Suggestion | undefined): void {
    const trigger = this.#trigger;
    if (suggestion === undefined || trigger === undefined) return;
    const text = this.#text;
    const { end } = text.selection;
    const { from } = trigger;
    // A space that is there already is not doubled.
    const hasSpace = text.value.charAt(end) === ' ' && suggestion.insert.endsWith(' ');
    const insert = hasSpace ? suggestion.insert.slice(0, -1) : suggestion.insert;
    const at = from + (suggestion.cursor ?? insert.length) + (hasSpace ? 1 : 0);
    this.suggestions = [];
    text.apply({ from, to: end, text: insert, selection: { start: at, end: at } });
    this.#trigger = undefined;
    this.changes.changed();
    if (suggestion.continues) this.update();
  }

  /** Returns whether the key was for the list. */
  handleKey(event: KeyboardEvent): boolean {
    if (!this.isOpen || event.ctrlKey || event.metaKey || event.altKey) return false;
    const { length } = this.suggestions;
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp':
        this.point((this.index + (event.key === 'ArrowDown' ? 1 : length - 1)) % length);
        return true;
      case 'Enter':
      case 'Tab':
        if (event.shiftKey) return false;
        this.accept(this.suggestions[this.index]);
        return true;
      case '>':
        return this.#continueWithTopic();
      case 'Escape':
        this.#closedAt = this.#trigger?.from;
        this.close();
        return true;
      default:
        return false;
    }
  }

  /** `>` behind a channel continues with its topics. */
  #continueWithTopic(): boolean {
    const channel = this.suggestions[this.index];
    const isChannel = channel?.icon.kind === 'channel' || channel?.icon.kind === 'private-channel';
    if (channel === undefined || !isChannel || !isPlainName(channel.label)) return false;
    this.accept({ ...channel, insert: `#**${channel.label}>`, continues: true });
    return true;
  }
}

export interface Typeahead {
  readonly state: TypeaheadState;
  readonly listId: string;
}

/** The suggestions of a textarea. The component does not render when they change. */
export function useTypeahead(text: BoxText, place: Place | undefined): Typeahead {
  const app = useApp();
  const now: TypeaheadContext = { model: app.model, place, loadPeople: () => loadPeopleToMention(app, place) };
  const context = useRef(now);
  context.current = now;
  const state = useMemo(() => new TypeaheadState(text, () => context.current), [text]);
  const listId = useId();
  useEffect(() => lazyEmoji.changes.subscribe(() => state.refresh()), [state]);
  return useMemo(() => ({ state, listId }), [state, listId]);
}

/** The id of the option, for `aria-activedescendant`. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}
