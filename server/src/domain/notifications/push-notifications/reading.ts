/**
 * Reads the log for notifications that phones and browsers must show or no longer show. Sends do nothing for that. One decision counts for
 * both kinds of devices; each kind has its own table of waiting notifications.
 */
import type { DbTransaction } from '../../../db/schema.ts';
import { type AppContext, oncePerApp } from '../../../extension/app-context.ts';
import type { Consumed, LogConsumer } from '../../../jobs/consumers.ts';
import type { LoggedEvent } from '../../../log/event.ts';
import { PushService } from '../../../push/service.ts';
import { presenceStatusOf } from '../../presence/queries.ts';
import { isNew, type Known, missedIn } from '../notifications/missed.ts';
import { addForBrowsers, addForPhones } from './adding.ts';
import { browserOwners, phoneOwners } from './device-owners.ts';
import { noteEdited } from './updating.ts';
import { noteGone } from './withdrawing.ts';

/** The name of this consumer of the log. */
export const PUSH_READER = 'mobile-push';
/** The age in seconds after which a message causes no notification. A server that was down starts with what is new. */
const MAX_AGE_SECONDS = 3600;

const TYPES = ['message', 'update_message', 'update_message_flags', 'delete_message'];
const NOBODY: ReadonlySet<number> = new Set();

interface PushReading {
  /** Reads only the logs of organizations that ever had a device. */
  readonly consumer: LogConsumer;
  /** Calls the function after something was found that must be sent. */
  onFound(wake: () => void): void;
}

export const pushReadingOf = oncePerApp((app: AppContext): PushReading => {
  const listeners: (() => void)[] = [];
  const found = () => {
    for (const wake of listeners) wake();
  };
  const hasPhones = PushService.of(app.config) !== undefined;
  return {
    onFound: (wake) => listeners.push(wake),
    consumer: {
      name: PUSH_READER,
      async reader(organization) {
        const known = { directory: organization.directory, statusOf: await presenceStatusOf(app, organization) };
        return { types: TYPES, read: (db, page) => readPage(db, { known, page, hasPhones, found, log: app.log }) };
      },
    },
  };
});

interface Page {
  readonly known: Known;
  readonly page: readonly LoggedEvent[];
  /** Whether there is a push service for phones. */
  readonly hasPhones: boolean;
  readonly found: () => void;
  readonly log: AppContext['log'];
}

async function readPage(db: DbTransaction, { known, page, hasPhones, found, log }: Page): Promise<Consumed> {
  const { directory } = known;
  const { id: organizationId } = directory.organization;
  const mayConcern = page.some(isNew);
  const phones = mayConcern && hasPhones ? await phoneOwners(db, organizationId) : NOBODY;
  const browsers = mayConcern ? await browserOwners(db, organizationId) : NOBODY;
  const owners = new Set([...phones, ...browsers]);
  const { missed, events } = await missedIn(db, known, page, {
    medium: 'push',
    candidates: owners,
    maxAgeSeconds: MAX_AGE_SECONDS,
    isNotifiedOnline: (settings) => settings.enable_online_push_notifications,
  });
  const ofOwners = (some: ReadonlySet<number>) => missed.filter(({ userId }) => some.has(userId));
  let dropped = await addForPhones(db, organizationId, ofOwners(phones));
  const isEdited = await noteEdited(db, organizationId, events);
  dropped += await addForBrowsers(db, organizationId, ofOwners(browsers));
  const isGone = await noteGone(db, directory, events);
  if (dropped > 0)
    log.warn({ organization: organizationId, dropped }, 'push notifications were dropped: too many wait');
  const isFound = missed.length > 0 || isEdited || isGone;
  return { handled: events.length, ...(isFound && { afterCommit: found }) };
}
