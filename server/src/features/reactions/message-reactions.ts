import type { Emoji } from './emoji.ts';
import type { Found, NewReaction, ReactionKey } from './rows.ts';

/** One emoji on one message, as far as those who ask at once are concerned. */
interface OnMessage {
  /** Null where nobody reacts with it. */
  name: string | null;
  readonly own: Map<number, boolean>;
}

/** What is there, with what those who came earlier in the same group make of it. */
export class MessageReactions {
  readonly #emoji = new Map<string, OnMessage>();
  /** How many different emoji each message has: known where somebody adds another. */
  readonly #counts = new Map<number, number>();
  readonly #before = new Map<string, boolean>();
  readonly #after = new Map<string, { readonly key: ReactionKey; readonly added: NewReaction | null }>();
  readonly #outsiders = new Map<number, number[]>();

  know(key: ReactionKey, { name, isOwn, count }: Found): void {
    const known = this.#emoji.get(emojiOf(key)) ?? { name, own: new Map() };
    this.#emoji.set(emojiOf(key), known);
    known.own.set(key.userId, isOwn);
    this.#before.set(keyOf(key), isOwn);
    if (name === null) this.#counts.set(key.messageId, count);
  }

  has(key: ReactionKey): boolean {
    return this.#at(key).own.get(key.userId) ?? false;
  }

  /** What the emoji is called on the message; null where nobody reacts with it. */
  nameOf(key: ReactionKey): string | null {
    return this.#at(key).name;
  }

  /** Of a message on which the emoji is not. */
  countOn({ messageId }: ReactionKey): number {
    return this.#counts.get(messageId) ?? 0;
  }

  /** Who has reacted in this group without being subscribed. */
  outsidersOf({ messageId }: ReactionKey): readonly number[] {
    return this.#outsiders.get(messageId) ?? [];
  }

  add(reaction: NewReaction): void {
    const at = this.#at(reaction);
    if (at.name === null) this.#counts.set(reaction.messageId, this.countOn(reaction) + 1);
    at.name = reaction.name;
    at.own.set(reaction.userId, true);
    this.#after.set(keyOf(reaction), { key: reaction, added: reaction });
    if (reaction.byOutsider) this.#outsiders.set(reaction.messageId, [...this.outsidersOf(reaction), reaction.userId]);
  }

  /** Answers the emoji's name. The name stays for others of the group: whether they are the last is not known. */
  remove(key: ReactionKey): Emoji['name'] {
    const at = this.#at(key);
    at.own.set(key.userId, false);
    this.#after.set(keyOf(key), { key, added: null });
    return at.name ?? '';
  }

  /** What is to be written: what was added and removed within the group leaves nothing. */
  get changes(): { readonly added: readonly NewReaction[]; readonly removed: readonly ReactionKey[] } {
    const added: NewReaction[] = [];
    const removed: ReactionKey[] = [];
    for (const [text, { key, added: reaction }] of this.#after) {
      const was = this.#before.get(text) ?? false;
      if (reaction !== null && !was) added.push(reaction);
      if (reaction === null && was) removed.push(key);
    }
    return { added, removed };
  }

  #at(key: ReactionKey): OnMessage {
    const at = this.#emoji.get(emojiOf(key));
    if (at === undefined) throw new Error('a reaction that was not looked for');
    return at;
  }
}

function emojiOf({ messageId, kind, code }: ReactionKey): string {
  return `${messageId}/${kind}/${code}`;
}

function keyOf(key: ReactionKey): string {
  return `${key.userId}/${emojiOf(key)}`;
}
