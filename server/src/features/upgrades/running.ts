import { isUnavailable } from '../../db/failures.ts';
import type { Organization } from '../../directory/organization.ts';
import type { Running } from '../feature.ts';
import type { Rooms } from '../rooms.ts';
import { tellVersion } from './actions.ts';

/** What failed is tried again after so long, in milliseconds. */
const AGAIN = 5000;

/**
 * Tells each organization that comes into this process's memory, one after another: those whose clients come back after an upgrade, and
 * nobody else.
 */
export class VersionTeller implements Running {
  readonly #rooms: Pick<Rooms, 'db' | 'organizations' | 'log'>;
  readonly #waiting = new Set<Organization>();
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(rooms: Pick<Rooms, 'db' | 'organizations' | 'log'>) {
    this.#rooms = rooms;
  }

  start(): void {
    this.#rooms.organizations.onLoaded((organization) => {
      if (this.#isStopped) return;
      this.#waiting.add(organization);
      this.#running ??= this.#run();
    });
  }

  /** What was begun is a statement or a change, which have bounds of their own. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    // Who comes meanwhile is visited as well.
    for (const organization of this.#waiting) {
      if (this.#isStopped) return;
      if (await this.#tell(organization)) this.#waiting.delete(organization);
    }
    this.#running = undefined;
    if (this.#waiting.size === 0 || this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running ??= this.#run();
    }, AGAIN).unref();
  }

  /** Whether there is nothing left to be done about it. Never rejects. */
  async #tell(organization: Organization): Promise<boolean> {
    const { db, organizations, log } = this.#rooms;
    // Dropped, or loaded anew.
    if (organizations.inMemoryById(organization.id) !== organization) return true;
    try {
      await tellVersion(db, organization);
      return true;
    } catch (error) {
      const level = isUnavailable(error) ? 'debug' : 'warn';
      log[level]({ err: error, organization: organization.id }, 'clients are told of another version later');
      return false;
    }
  }
}
