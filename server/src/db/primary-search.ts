import type pg from 'pg';
import type { DatabaseHost } from '../config/database-url.ts';
import { breakOff } from './break-off.ts';
import { DatabaseUnavailableError, UnknownOutcomeError } from './failures.ts';
import { askHost, type Candidate, type Primary } from './host-question.ts';
import { NEWER_PRIMARY_INTERVAL_MS } from './timeouts.ts';

/**
 * Finds the host that accepts writes, if the database URL names several, and keeps it for all connections of a process. After a failover,
 * it finds the new one. `pg` itself knows only one host.
 */
export class PrimarySearch {
  /** All hosts of the URL. */
  readonly hosts: readonly DatabaseHost[];
  /** The open connections, with their hosts. */
  readonly #clients = new Map<pg.Client, Primary>();
  #known: Primary | undefined;
  /** When a search has found it, and when the others were last asked, on the clock of `performance.now`. */
  #foundAt = 0;
  #lookedAt = 0;
  #searching: Promise<Primary> | undefined;
  #lookingForNewer: Promise<void> | undefined;

  constructor(hosts: readonly DatabaseHost[]) {
    this.hosts = hosts;
  }

  /** The host that accepts writes, if it is known now. */
  get known(): Primary | undefined {
    return this.#known;
  }

  /**
   * The host that accepts writes. It asks all hosts at once if it does not know.
   * @throws DatabaseUnavailableError says why each host cannot be used
   */
  async find(): Promise<Primary> {
    if (this.#known !== undefined) return this.#known;
    this.#searching ??= this.#search().finally(() => {
      this.#searching = undefined;
    });
    return await this.#searching;
  }

  /**
   * Asks the other hosts whether one was promoted, while the known one responds: it may be cut off from its standbys, and does not know. Then
   * connections to it end. Call it often: it asks every five seconds. It asks each time in the first five seconds after a search, because
   * the former primary may have been the only one just then.
   */
  lookForNewer(): void {
    const now = performance.now();
    if (now - this.#foundAt < NEWER_PRIMARY_INTERVAL_MS || now - this.#lookedAt >= NEWER_PRIMARY_INTERVAL_MS) {
      this.lookForNewerNow();
    }
  }

  /** Asks the other hosts now, because nothing confirms the commits of the known one. */
  lookForNewerNow(): void {
    const known = this.#known;
    if (known === undefined) return;
    this.#lookedAt = performance.now();
    this.#lookingForNewer ??= this.#lookForNewerThan(known).finally(() => {
      this.#lookingForNewer = undefined;
    });
  }

  /** Call it when a connection to the host is open. */
  opened(client: pg.Client, primary: Primary): void {
    this.#clients.set(client, primary);
    client.once('end', () => this.#clients.delete(client));
    // A search may have found another host since it began to connect.
    if (this.#known !== undefined) this.#breakOffAllBut(this.#known);
  }

  /** Call it when the host that it found cannot be reached, or does not respond. The next connection searches again. */
  forget(): void {
    this.#known = undefined;
  }

  /**
   * Call it when a host refused a write because it is read-only. It searches at once. Other connections to that host end, unless it accepts
   * writes again: they would read old data.
   */
  async leave(former: Primary): Promise<void> {
    if (this.#known === former) this.forget();
    const found = await this.find().catch(() => undefined);
    this.#breakOffAllBut(found);
  }

  async #lookForNewerThan(known: Primary): Promise<void> {
    const others = this.hosts.filter(({ name }) => name !== known.name);
    const newest = newestOf(await Promise.all(others.map(askHost)));
    if (newest === undefined || newest.timeline <= known.timeline || this.#known !== known) return;
    this.#known = newest;
    this.#breakOffAllBut(newest);
  }

  async #search(): Promise<Primary> {
    const candidates = await Promise.all(this.hosts.map(askHost));
    const newest = newestOf(candidates);
    if (newest === undefined) {
      const reasons = candidates.map((candidate) => (candidate.is === 'primary' ? '' : candidate.reason));
      throw new DatabaseUnavailableError(`no host accepts writes: ${reasons.join('; ')}`);
    }
    this.#known = newest;
    this.#foundAt = performance.now();
    this.#breakOffAllBut(newest);
    return newest;
  }

  #breakOffAllBut(primary: Primary | undefined): void {
    for (const [client, { name }] of [...this.#clients])
      if (name !== primary?.name) breakOff(client, new UnknownOutcomeError(`${name} does not accept writes any more`));
  }
}

function newestOf(candidates: readonly Candidate[]): Primary | undefined {
  const primaries = candidates.flatMap((candidate) => (candidate.is === 'primary' ? [candidate.primary] : []));
  return primaries.sort((a, b) => b.timeline - a.timeline)[0];
}
