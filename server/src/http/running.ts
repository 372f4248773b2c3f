import { tooManyAtOnce } from '@heddle/api/errors.ts';

/**
 * The number of concurrent requests per account; others wait. It is small compared with the database connections, so an account that sends
 * expensive requests leaves most of the server to others.
 */
const AT_ONCE = 2;

/** The same for spectators, per network and in total. The total leaves most connections to accounts. */
const OF_ONE_NETWORK = 1;
const OF_SPECTATORS = 2;

/** Files that are sent concurrently to one account, or to one network without credentials. Others wait. */
const FILES_AT_ONCE = 8;

/** The total size of the bodies of an account's waiting requests, in bytes. It allows several of the largest and many usual ones. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;
/** The number of waiting requests per account. */
const MOST_WAITING = 2_000;

interface Account {
  running: number;
  waitingBytes: number;
  readonly waiting: { readonly bytes: number; readonly begin: () => void }[];
}

/**
 * The running and waiting requests of each account. A held request counts as neither. A request that sends a file takes as long as its
 * client needs, so files have slots of their own.
 */
export class Running {
  readonly #accounts = new Map<string, Account>();

  /** The number of accounts with requests now. */
  get size(): number {
    return this.#accounts.size;
  }

  /**
   * Starts a request; `leave` ends it. Resolves when a slot is free; undefined if one is free at once.
   * @param bytes the size of its body
   * @throws ApiError `RATE_LIMIT_HIT`: too many requests wait
   */
  enter(account: string, bytes: number): Promise<void> | undefined {
    return this.#enter(account, bytes, AT_ONCE);
  }

  /** The same for a spectator, who needs a slot of the network and one of all spectators. */
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
   * Starts sending a file; `leaveFile` ends it when the file is sent. Resolves when a slot is free; undefined if one is free at once.
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

/** No account has such a key. */
const SPECTATORS = 'spectators';
const filesOf = (reader: string) => `files of ${reader}`;
const ofNetwork = (network: string) => `spectators at ${network}`;
