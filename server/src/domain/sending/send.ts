import type pg from 'pg';
import { isUnavailable, mayTrySingly } from '../../db/failures.ts';
import type { Db } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Change, Organization } from '../../directory/organization.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { turn } from '../../http/turns.ts';
import { appendStatement, basesIn } from '../../log/append.ts';
import { LogEntry } from '../../log/entry.ts';
import { GroupCommit, type Outcome } from '../../log/group-commit.ts';
import { unsettledBy, wouldChange } from '../topics/automatic.ts';
import { filesNamedIn } from '../uploads/names.ts';
import { type Draft, isLong, type Prepared, prepareMessage } from './prepare.ts';
import { type NewMessage, sendMessage } from './send-message.ts';
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
  /** The last change of the directory that `prepared` includes. */
  preparedAt: number;
}

/**
 * Milliseconds: several times the duration of a commit. After that, the next batch starts while the previous one still
 * runs.
 */
const OVERLAP_AFTER = 10;

/**
 * Sends messages. Messages that arrive together share one statement and one commit (log/append.ts). There is one sender
 * per process, with a batch per organization. A message that changes a topic policy uses with-policies.ts instead.
 * Usually memory knows that it changes none.
 */
export class Sender {
  readonly #pool: pg.Pool;
  readonly #db: Db;
  readonly #groups = new WeakMap<Organization, GroupCommit<Item, Sent>>();

  constructor({ pool, db }: Pick<AppContext, 'pool' | 'db'>) {
    this.#pool = pool;
    this.#db = db;
  }

  /**
   * Stores the message, its flags and its events in one durable commit.
   * @throws ApiError if the message is invalid or not allowed, now or at the time of the commit
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
        // Its HTML is written twice: in the message and in its event.
        weightOf: ({ prepared }) => 2 * prepared.message.row.rendered_content.length,
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

  /** The statement fails if the directory has changed after `known`. */
  async #attempt(organization: Organization, items: readonly Item[], known: number): Promise<readonly Outcome<Sent>[]> {
    const entry = new LogEntry();
    const places = enter(organization.directory, items, (message) => sendMessage(entry, message));
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

/** Called with the organization lock held. The commit follows, and is applied when the change resolves. */
function sendWithin(change: Change, items: readonly Item[]): readonly Outcome<Sent>[] {
  const { directory, entry, position } = change;
  const ids = enter(directory, items, (message) => position.messageHead + sendMessage(entry, message));
  return ids.map((id) => ('error' in id ? id : { result: { messageId: id.result, applied: Promise.resolve() } }));
}

function failed(outcome: Outcome<number>): Outcome<Sent> {
  return 'error' in outcome ? outcome : { error: new Error('a message was prepared and not entered') };
}

/**
 * Enters the messages that can be sent, and prepares them again if the directory has changed. The others keep their
 * errors.
 */
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

/** Does the slow part of `enter` before the organization lock is acquired, so that other changes do not wait for it. */
function prepareAnew(directory: Directory, items: readonly Item[]): void {
  for (const item of items) {
    try {
      keepPrepared(directory, item);
    } catch {
      // `enter` prepares it again and returns the error, if there still is one.
    }
  }
}

function keepPrepared(directory: Directory, item: Item): void {
  if (item.preparedAt === directory.changedAt) return;
  item.prepared = prepareMessage(directory, item.draft, Date.now());
  item.preparedAt = directory.changedAt;
}
