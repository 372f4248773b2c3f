import { tooManyAtOnce } from '@heddle/api/errors.ts';

/**
 * So many requests of one account are worked on at once; others of its requests wait their turn. Few, beside the connections of the
 * database: whoever sends the dearest requests there are, and however many, leaves the others most of the server.
 */
const AT_ONCE = 2;

/** The same of spectators: of those at one address, and of all together, who so leave accounts most of the connections, too. */
const OF_ONE_NETWORK = 1;
const OF_SPECTATORS = 2;

/** Files that are on their way to one account at once, and to all who ask at one address without one; others of theirs wait. */
const FILES_AT_ONCE = 8;

/** What the bodies of an account's waiting requests may weigh together, in bytes: some of the largest, and any number of usual ones. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;
/** And so many may wait, whatever they weigh. */
const MOST_WAITING = 2_000;

interface Account {
  running: number;
  waitingBytes: number;
  readonly waiting: { readonly bytes: number; readonly begin: () => void }[];
}

/**
 * The requests of each account that the server works on, and those that wait. A request that is held for an answer is neither; nor is one
 * whose file is on its way, which takes as long as its client takes: those have turns of their own.
 */
export class Running {
  readonly #accounts = new Map<string, Account>();

  /** Accounts with requests now. */
  get size(): number {
    return this.#accounts.size;
  }

  /**
   * Begins a request; `leave` ends it. Resolves when it is its turn, and is undefined where that is at once.
   * @param bytes what its body weighs
   * @throws ApiError `RATE_LIMIT_HIT`: too many wait
   */
  enter(account: string, bytes: number): Promise<void> | undefined {
    return this.#enter(account, bytes, AT_ONCE);
  }

  /** The same for a spectator at an address: it is their turn when it is both the address's and spectators'. */
  async enterAsSpectator(network: string, bytes: number): Promise<void> {
    await this.#enter(ofNetwork(network), bytes, OF_ONE_NETWORK);
    try {
      await this.#enter(SPECTATORS, bytes, OF_SPECTATORS);
    } catch (error) {
      this.leave(ofNetwork(network));
      throw error;
    }
  }

  leaveAsSpectator(network: string): void {
    this.leave(SPECTATORS);
    this.leave(ofNetwork(network));
  }

  /**
   * Begins to give a file; `leaveFile` ends it, when all of it is sent. Resolves when it is its turn, and is undefined where that is at once.
   * @param reader an account, or the network of an address
   */
  enterForFile(reader: string): Promise<void> | undefined {
    return this.#enter(filesOf(reader), 0, FILES_AT_ONCE);
  }

  leaveFile(reader: string): void {
    this.leave(filesOf(reader));
  }

  #enter(account: string, bytes: number, atOnce: number): Promise<void> | undefined {
    const entry = this.#accounts.get(account);
    if (entry === undefined) {
      this.#accounts.set(account, { running: 1, waitingBytes: 0, waiting: [] });
      return undefined;
    }
    if (entry.running < atOnce) {
      entry.running += 1;
      return undefined;
    }
    if (entry.waiting.length >= MOST_WAITING || entry.waitingBytes + bytes > MOST_WAITING_BYTES) {
      throw tooManyAtOnce(entry.waiting.length);
    }
    entry.waitingBytes += bytes;
    return new Promise((resolve) => entry.waiting.push({ bytes, begin: resolve }));
  }

  leave(account: string): void {
    const entry = this.#accounts.get(account);
    if (entry === undefined) throw new Error('a request ends that has not begun');
    const next = entry.waiting.shift();
    if (next !== undefined) {
      entry.waitingBytes -= next.bytes;
      next.begin();
      return;
    }
    entry.running -= 1;
    if (entry.running === 0) this.#accounts.delete(account);
  }
}

/** No account is called so. */
const SPECTATORS = 'spectators';
const filesOf = (reader: string) => `files of ${reader}`;
const ofNetwork = (network: string) => `spectators at ${network}`;
