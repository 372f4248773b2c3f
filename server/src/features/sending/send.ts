import type pg from 'pg';
import { isUnavailable, mayTrySingly } from '../../db/failures.ts';
import type { Db } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Change, Organization } from '../../directory/organization.ts';
import { turn } from '../../http/turns.ts';
import { appendStatement, basesIn } from '../../log/append.ts';
import { LogEntry, type NewMessage } from '../../log/entry.ts';
import { GroupCommit, type Outcome } from '../../log/group-commit.ts';
import type { Rooms } from '../rooms.ts';
import { unsettledBy, wouldChange } from '../topics/actions.ts';
import { filesNamedIn } from '../uploads/actions.ts';
import { type Draft, isLong, type Prepared, prepareMessage } from './prepare.ts';
import { sendWithFiles } from './with-files.ts';
import { type SentMessage, sendsWithPolicies } from './with-policies.ts';

export interface Sent {
  readonly messageId: number;
  /** Resolves when this process has applied the message's events. */
  readonly applied: Promise<void>;
}

interface Item {
  readonly draft: Draft;
  prepared: Prepared;
  /** The directory's last change that `prepared` knows of. */
  preparedAt: number;
}

/** Several times what a commit takes, in milliseconds. */
const OVERLAP_AFTER = 10;

/**
 * Sends messages, those that arrive together in one commit of one statement (log/append.ts). One for each process; groups are per
 * organization. Those that change somebody's policy for their topic go another way (with-policies.ts): mostly memory knows that they do not.
 */
export class Sender {
  readonly #pool: pg.Pool;
  readonly #db: Db;
  readonly #groups = new WeakMap<Organization, GroupCommit<Item, Sent>>();

  constructor({ pool, db }: Pick<Rooms, 'pool' | 'db'>) {
    this.#pool = pool;
    this.#db = db;
  }

  /**
   * Stores the message, its flags and its events durably and together.
   * @throws ApiError for what makes the message impossible, now or at the moment of the commit
   */
  async send(organization: Organization, draft: Draft): Promise<SentMessage> {
    if (isLong(draft.content)) await turn();
    if (filesNamedIn(draft.content).length > 0) {
      return organization.ordinaryByServer((change) => sendWithFiles(change, draft));
    }
    const { directory } = organization;
    const preparedAt = directory.changedAt;
    const prepared = prepareMessage(directory, draft, Date.now());
    const unsettled = prepared.inTopic === null ? [] : unsettledBy(organization, prepared.inTopic);
    if (unsettled.length > 0 && (await wouldChange(this.#db, organization, unsettled))) {
      return organization.inGroup(sendsWithPolicies, draft);
    }
    const { messageId, applied } = await this.#groupOf(organization).add({ draft, prepared, preparedAt });
    await applied;
    return { messageId, newPolicy: undefined };
  }

  #groupOf(organization: Organization): GroupCommit<Item, Sent> {
    let group = this.#groups.get(organization);
    if (group === undefined) {
      group = new GroupCommit({
        commit: (items) => this.#commit(organization, items),
        mayRetrySingly: mayTrySingly,
        concernsAll: isUnavailable,
        overlapAfter: OVERLAP_AFTER,
        // It is written twice, as a message and in its event.
        weightOf: ({ prepared }) => 2 * prepared.message.renderedContent.length,
      });
      this.#groups.set(organization, group);
    }
    return group;
  }

  #commit(organization: Organization, items: readonly Item[]): Promise<readonly Outcome<Sent>[]> {
    return organization.send(
      (known) => this.#attempt(organization, items, known),
      async (change) => sendWithin(change, items),
      () => prepareAnew(organization.directory, items),
    );
  }

  /** Refused by the database where the directory has changed after `known`. */
  async #attempt(organization: Organization, items: readonly Item[], known: number): Promise<readonly Outcome<Sent>[]> {
    const entry = new LogEntry();
    const places = enter(organization.directory, items, (message) => entry.send(message));
    if (entry.isEmpty) return places.map((place) => failed(place));
    const statement = appendStatement(organization.id, entry, { directory: known, head: null });
    const { rows } = await this.#pool.query(statement);
    const bases = basesIn(rows);
    const applied = organization.committed(entry.logged(organization.id, bases));
    return places.map((place) =>
      'error' in place ? place : { result: { messageId: bases.messages + place.result, applied } },
    );
  }
}

/** With the log's lock: the commit follows, and has been applied when the change resolves. */
function sendWithin(change: Change, items: readonly Item[]): readonly Outcome<Sent>[] {
  const ids = enter(change.directory, items, (message) => change.send(message));
  return ids.map((id) => ('error' in id ? id : { result: { messageId: id.result, applied: Promise.resolve() } }));
}

function failed(outcome: Outcome<number>): Outcome<Sent> {
  return 'error' in outcome ? outcome : { error: new Error('a message was prepared and not entered') };
}

/** Enters the messages that can be sent, prepared again where the directory has changed since; the others keep their refusals. */
function enter(directory: Directory, items: readonly Item[], send: (message: NewMessage) => number): Outcome<number>[] {
  return items.map((item) => {
    try {
      keepPrepared(directory, item);
    } catch (error) {
      return { error };
    }
    return { result: send(item.prepared.message) };
  });
}

/** What can be done of `enter` before the log is taken, so that nobody waits for it. */
function prepareAnew(directory: Directory, items: readonly Item[]): void {
  for (const item of items) {
    try {
      keepPrepared(directory, item);
    } catch {
      // It is refused where it is entered, if that is so then.
    }
  }
}

function keepPrepared(directory: Directory, item: Item): void {
  if (item.preparedAt === directory.changedAt) return;
  item.prepared = prepareMessage(directory, item.draft, Date.now());
  item.preparedAt = directory.changedAt;
}
