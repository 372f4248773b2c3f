/** What a member of a group gets: its result, or the reason why it, alone, failed. */
export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

export interface GroupCommitOptions<Item, Result> {
  /** Commits the items together; outcomes in the items' order. */
  readonly commit: (items: readonly Item[]) => Promise<readonly Outcome<Result>[]>;
  /**
   * Whether a failed commit certainly did nothing, so that its members may be tried one by one. Where the connection broke it may
   * have gone through, and trying again would do it twice.
   */
  readonly mayRetrySingly: (error: unknown) => boolean;
  /** How long a group that nothing keeps waiting gathers, in milliseconds. */
  readonly gather?: number;
  readonly maximum?: number;
}

interface Member<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets items that arrive together commit together: while one group is being committed the next gathers. If a group is refused, its
 * members are tried one by one, so that only the culprit hears of it. Items keep the order in which they came.
 */
export class GroupCommit<Item, Result> {
  readonly #options: GroupCommitOptions<Item, Result>;
  readonly #maximum: number;
  #waiting: Member<Item, Result>[] = [];
  #busy = false;
  #idle: (() => void)[] = [];

  constructor(options: GroupCommitOptions<Item, Result>) {
    this.#options = options;
    this.#maximum = options.maximum ?? 256;
  }

  /** Resolves or rejects when the item's own fate is known. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#busy) return;
      this.#busy = true;
      // At once, and not in the loop's next phase: with a thousand sockets ready at every look, that can be a quarter of a second away.
      if (this.#options.gather === undefined) queueMicrotask(() => this.#run());
      else setTimeout(() => this.#run(), this.#options.gather);
    });
  }

  /** Resolves when nothing waits and nothing is being committed. */
  async settled(): Promise<void> {
    if (!this.#busy) return;
    await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.splice(0, this.#maximum);
      await this.#commit(group);
    }
    this.#busy = false;
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  async #commit(group: readonly Member<Item, Result>[]): Promise<void> {
    try {
      const outcomes = await this.#options.commit(group.map((member) => member.item));
      group.forEach((member, index) => {
        const outcome = outcomes[index] ?? { error: new Error('a group commit answered for too few of its members') };
        if ('result' in outcome) member.resolve(outcome.result);
        else member.reject(outcome.error);
      });
    } catch (error) {
      if (group.length > 1 && this.#options.mayRetrySingly(error))
        for (const member of group) await this.#commit([member]);
      else for (const member of group) member.reject(error);
    }
  }
}
