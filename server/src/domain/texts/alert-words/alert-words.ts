import type { DirectoryPart } from '../../../directory/part.ts';

/** A node of a prefix tree over UTF-16 units. Words with the same beginning share nodes. */
interface Node {
  readonly next: Map<number, Node>;
  /** The users who have the word that ends here. */
  readonly users: Set<number>;
}

/**
 * The characters allowed directly before and after a word. The start and the end of the text count too. Source: the
 * reference server.
 */
const BEFORE = new Set(Array.from(' \n("\'.,;[*`>', (character) => character.charCodeAt(0)));
const AFTER = new Set(Array.from(' \n)"\'?:.,;]!*`', (character) => character.charCodeAt(0)));

/**
 * The alert words of all users. Searching a text takes at most its length times the longest word, however many words
 * there are.
 */
export class AlertWords {
  readonly #words = new Map<number, readonly string[]>();
  readonly #root: Node = newNode();

  /** Replaces the user's words, in the spelling given. */
  put(userId: number, words: readonly string[]): void {
    for (const word of this.of(userId)) forget(this.#root, word.toLowerCase(), 0, userId);
    for (const word of words) this.#add(word.toLowerCase(), userId);
    if (words.length === 0) this.#words.delete(userId);
    else this.#words.set(userId, words);
  }

  of(userId: number): readonly string[] {
    return this.#words.get(userId) ?? [];
  }

  /** The words of every user who has any. */
  get all(): ReadonlyMap<number, readonly string[]> {
    return this.#words;
  }

  /** The users who have an alert word that stands alone in the text. Ignores case. */
  usersAlertedBy(text: string): ReadonlySet<number> {
    const alerted = new Set<number>();
    if (this.#words.size === 0) return alerted;
    const lower = text.toLowerCase();
    for (let start = 0; start < lower.length; start++) {
      if (start > 0 && !BEFORE.has(lower.charCodeAt(start - 1))) continue;
      let node = this.#root.next.get(lower.charCodeAt(start));
      for (let end = start + 1; node !== undefined; end++) {
        if (node.users.size > 0 && (end === lower.length || AFTER.has(lower.charCodeAt(end)))) {
          for (const userId of node.users) alerted.add(userId);
        }
        node = node.next.get(lower.charCodeAt(end));
      }
    }
    return alerted;
  }

  #add(word: string, userId: number): void {
    let node = this.#root;
    for (let at = 0; at < word.length; at++) {
      const unit = word.charCodeAt(at);
      let next = node.next.get(unit);
      if (next === undefined) {
        next = newNode();
        node.next.set(unit, next);
      }
      node = next;
    }
    node.users.add(userId);
  }
}

function newNode(): Node {
  return { next: new Map(), users: new Set() };
}

/** Removes the word for this user, and the nodes that no other word needs. */
function forget(node: Node, word: string, at: number, userId: number): void {
  if (at === word.length) {
    node.users.delete(userId);
    return;
  }
  const unit = word.charCodeAt(at);
  const next = node.next.get(unit);
  if (next === undefined) return;
  forget(next, word, at + 1, userId);
  if (next.users.size === 0 && next.next.size === 0) node.next.delete(unit);
}

/** All alert words of the user from now on. */
interface AlertWordsDelta {
  readonly delta: 'alert-words';
  readonly userId: number;
  readonly words: readonly string[];
}

export const alertWordsDelta = (userId: number, words: readonly string[]): AlertWordsDelta => ({
  delta: 'alert-words',
  userId,
  words,
});

/** The alert words of the organization's users, in the directory. */
export const alertWordsPart: DirectoryPart<AlertWords, AlertWordsDelta> = {
  aspect: 'settings',
  deltas: ['alert-words'],
  create: () => new AlertWords(),
  /** One row for each user with alert words. */
  async load(index, snapshot, organizationId) {
    const rows = await snapshot
      .selectFrom('alert_words')
      .select(['user_id', 'words'])
      .where('organization_id', '=', organizationId)
      .execute();
    for (const row of rows) index.put(row.user_id, row.words);
  },
  apply: (index, { userId, words }) => index.put(userId, words),
  contents: (index) => [...index.all].toSorted(([a], [b]) => a - b),
};
