import { backgroundLevel } from '../../db/failures.ts';
import type { Organization } from '../../directory/organization.ts';
import type { AppContext } from '../../extension/app-context.ts';
import type { Running } from '../../extension/feature.ts';
import { tellVersion } from './actions.ts';

/** The pause before a retry, in milliseconds. */
const RETRY_PAUSE_MS = 5000;

/**
 * Visits each organization that this process loads, one after another. So only organizations whose clients return after an upgrade are
 * notified.
 */
export class VersionTeller implements Running {
  readonly #app: Pick<AppContext, 'db' | 'organizations' | 'log'>;
  readonly #waiting = new Set<Organization>();
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(app: Pick<AppContext, 'db' | 'organizations' | 'log'>) {
    this.#app = app;
  }

  async start(): Promise<void> {
    this.#app.organizations.onLoaded((organization) => {
      if (this.#isStopped) return;
      this.#waiting.add(organization);
      this.#running ??= this.#run();
    });
  }

  /** A statement or a transaction that was begun has timeouts of its own. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer);
    // Organizations that are added meanwhile are visited, too.
    for (const organization of this.#waiting) {
      if (this.#isStopped) return;
      if (await this.#tell(organization)) this.#waiting.delete(organization);
    }
    this.#running = undefined;
    if (this.#waiting.size === 0 || this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#running ??= this.#run();
    }, RETRY_PAUSE_MS).unref();
  }

  /** Whether nothing is left to do. Never rejects. */
  async #tell(organization: Organization): Promise<boolean> {
    const { db, organizations, log } = this.#app;
    // The organization was dropped or loaded again.
    if (organizations.inMemoryById(organization.id) !== organization) return true;
    try {
      await tellVersion(db, organization);
      return true;
    } catch (error) {
      const level = backgroundLevel(error);
      log[level]({ err: error, organization: organization.id }, 'clients are told of another version later');
      return false;
    }
  }
}
