import type { Emoji } from './emoji.ts';
import type { Found, NewReaction, ReactionKey } from './rows.ts';

/** One emoji on one message, as far as the batch needs it. */
interface OnMessage {
  /** Null if no user has reacted with it. */
  name: string | null;
  readonly own: Map<number, boolean>;
}

/** The reactions on the messages, including those of earlier items of the same batch. */
export class MessageReactions {
  readonly #emoji = new Map<string, OnMessage>();
  /** The number of different emoji per message. Known only if an item adds a new emoji. */
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

  /** The emoji's name on the message; null if no user has reacted with it. */
  nameOf(key: ReactionKey): string | null {
    return this.#at(key).name;
  }

  /** The number of different emoji on a message that does not have this one. */
  countOn({ messageId }: ReactionKey): number {
    return this.#counts.get(messageId) ?? 0;
  }

  /** Users without a subscription who have reacted in this batch. */
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

  /**
   * Returns the emoji's name. It keeps the name for later items of the batch, because other users may still react with
   * it.
   */
  remove(key: ReactionKey): Emoji['name'] {
    const at = this.#at(key);
    at.own.set(key.userId, false);
    this.#after.set(keyOf(key), { key, added: null });
    return at.name ?? '';
  }

  /** The necessary writes. A reaction that was both added and removed within the batch needs none. */
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
