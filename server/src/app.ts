/** Puts the rooms together; the only file that knows them all. */
import type { Endpoint } from '@heddle/api/contract.ts';
import { type ApiError, serviceUnavailable } from '@heddle/api/errors.ts';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { isUnavailable } from './db/failures.ts';
import { migrate } from './db/migrate.ts';
import { type ConnectionSettings, openPool } from './db/pool.ts';
import { Pulse } from './db/pulse.ts';
import type { Db } from './db/schema.ts';
import { JOBS, MIGRATIONS } from './db/waits.ts';
import type { Directory } from './directory/directory.ts';
import { Organizations } from './directory/organizations.ts';
import { account } from './features/account/index.ts';
import { acquaintances } from './features/acquaintances/index.ts';
import { alertWords } from './features/alert-words/index.ts';
import { createGatekeeper } from './features/authentication/gatekeeper.ts';
import { authentication } from './features/authentication/index.ts';
import { avatars } from './features/avatars/index.ts';
import { botStorage } from './features/bot-storage/index.ts';
import { bots } from './features/bots/index.ts';
import { channelFolders } from './features/channel-folders/index.ts';
import { channels } from './features/channels/index.ts';
import { conversations } from './features/conversations/index.ts';
import { deleting } from './features/deleting/index.ts';
import { domains } from './features/domains/index.ts';
import { drafts } from './features/drafts/index.ts';
import { editing } from './features/editing/index.ts';
import { emoji } from './features/emoji/index.ts';
import { events } from './features/events/index.ts';
import { ExternalAddress } from './features/external-address.ts';
import { type Feature, presentersOf } from './features/feature.ts';
import { history } from './features/history/index.ts';
import { home } from './features/home/index.ts';
import { invitations } from './features/invitations/index.ts';
import { joining } from './features/joining/index.ts';
import { linkifiers } from './features/linkifiers/index.ts';
import { messages } from './features/messages/index.ts';
import { mobilePush } from './features/mobile-push/index.ts';
import { mutedUsers } from './features/muted-users/index.ts';
import { navigationViews } from './features/navigation-views/index.ts';
import { stateOfNoneYet } from './features/none-yet.ts';
import { onboardingSteps } from './features/onboarding-steps/index.ts';
import { organizationPictures } from './features/organization-pictures/index.ts';
import { organizations } from './features/organizations/index.ts';
import { outgoingWebhooks } from './features/outgoing-webhooks/index.ts';
import { playgrounds } from './features/playgrounds/index.ts';
import { presence } from './features/presence/index.ts';
import { profileFields } from './features/profile-fields/index.ts';
import { reactions } from './features/reactions/index.ts';
import { readState } from './features/read-state/index.ts';
import { reminders } from './features/reminders/index.ts';
import { reports } from './features/reports/index.ts';
import { resumableUploads } from './features/resumable-uploads/index.ts';
import { retention } from './features/retention/index.ts';
import type { Rooms } from './features/rooms.ts';
import { savedSnippets } from './features/saved-snippets/index.ts';
import { scheduledMessages } from './features/scheduled-messages/index.ts';
import { sending } from './features/sending/index.ts';
import { submessages } from './features/submessages/index.ts';
import { subscriptions } from './features/subscriptions/index.ts';
import { topics } from './features/topics/index.ts';
import { typing } from './features/typing/index.ts';
import { upgrades } from './features/upgrades/index.ts';
import { uploads } from './features/uploads/index.ts';
import { userGroups } from './features/user-groups/index.ts';
import { userSettings } from './features/user-settings/index.ts';
import { userStatus } from './features/user-status/index.ts';
import { users } from './features/users/index.ts';
import { FLUSH_EVERY, housekeepingJobs, startClock } from './housekeeping.ts';
import { createHttpServer } from './http/server.ts';
import { DueRows } from './jobs/due-rows.ts';
import { Jobs } from './jobs/jobs.ts';
import { type Bus, createBus } from './log/bus.ts';
import { confirmIdentity } from './log/epoch.ts';
import { Presenters } from './log/presentation.ts';
import { QueueStore } from './log/queue-store.ts';
import { LogTrimmedError } from './log/tail.ts';
import { mailJob } from './mail/mailer.ts';
import { pageForError } from './pages/errors.ts';
import { confirmSecret, keyFor, loadSecret } from './secret.ts';
import { openStorage } from './storage/open.ts';
import { SERVER_VERSION } from './version.ts';

/** Every feature, one line each. */
export const features: readonly Feature[] = [
  account,
  acquaintances,
  alertWords,
  authentication,
  avatars,
  bots,
  botStorage,
  channels,
  channelFolders,
  conversations,
  domains,
  drafts,
  editing,
  deleting,
  emoji,
  events,
  history,
  home,
  invitations,
  joining,
  linkifiers,
  messages,
  mobilePush,
  mutedUsers,
  navigationViews,
  onboardingSteps,
  organizations,
  outgoingWebhooks,
  playgrounds,
  presence,
  organizationPictures,
  profileFields,
  reactions,
  readState,
  reminders,
  reports,
  resumableUploads,
  retention,
  savedSnippets,
  scheduledMessages,
  sending,
  submessages,
  subscriptions,
  topics,
  typing,
  upgrades,
  uploads,
  userGroups,
  userSettings,
  userStatus,
  users,
];

export interface OpenRoomsOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Where the database is: `HEDDLE_DATABASE_URL`, or the embedded cluster. */
  readonly connection: ConnectionSettings;
  /** Of the embedded cluster. */
  readonly clusterDirectory?: string;
  /** The command line announces its changes to whoever serves; a lone serving process has nobody to tell. */
  readonly purpose: 'serve' | 'command';
}

export interface OpenRooms extends Rooms {
  readonly bus: Bus;
  /** For what takes long and nobody waits for. */
  readonly background: Db;
  /** Lets what was begun finish, and closes the connections. */
  close(): Promise<void>;
}

/** Connects, migrates, and builds what features stand on. */
export async function openRooms({
  config,
  log,
  connection,
  clusterDirectory,
  purpose,
}: OpenRoomsOptions): Promise<OpenRooms> {
  const pulse = new Pulse({ settings: connection, log, endIsTold: clusterDirectory !== undefined });
  const { db, pool, settings, close: closePool } = openPool(connection, log, { pulse });
  const background = openPool(connection, log, { size: 2, waits: JOBS, pulse, name: 'heddle background' });
  const { pool: signals, close: closeSignals } = openPool(connection, log, {
    size: 1,
    pulse,
    name: 'heddle signals',
    keepsConnections: true,
  });
  const closeAll = async () => {
    await closeSignals();
    await background.close();
    await closePool();
    await pulse.close();
  };
  try {
    await bringUpToDate(connection, log);
    const secret = await loadSecret(config.dataDirectory, log);
    await confirmSecret(db, secret);
    if (purpose === 'serve') {
      await confirmIdentity(db, clusterDirectory ?? null, log);
    }
    const announces = purpose === 'command' || config.bus === 'postgres';
    const bus = createBus({ pool: signals, settings, log, announces });
    const presenters = new Presenters<Directory>();
    const address = new ExternalAddress(config);
    const organizations = new Organizations({
      db,
      pool,
      signals,
      bus,
      presenters,
      heartbeatMilliseconds: config.heartbeatSeconds * 1000,
      serverRules: {
        webPublicChannels: config.webPublicChannels,
        gravatar: config.gravatar,
        hostOf: (subdomain) => address.hostOf(subdomain),
      },
      log,
    });
    const queues = new QueueStore({
      db,
      log,
      idleSeconds: config.queueIdleSeconds,
      othersWriteWithin: config.bus === 'postgres' ? (2 * FLUSH_EVERY) / 1000 : 0,
      isHeld: (queue) => organizations.inMemoryById(queue.organizationId)?.polls.isHeld(queue) ?? false,
      onGone: (queue) => organizations.inMemoryById(queue.organizationId)?.polls.end(queue),
    });
    for (const feature of features) {
      const given = Object.entries(presentersOf(feature, { secret }));
      for (const [type, presenter] of given) presenters.add(type, presenter);
    }
    const jobs = new Jobs({ settings, log, pulse });
    const dueRows = new DueRows({ db, log });
    return {
      config,
      log,
      db,
      pool,
      background: background.db,
      organizations,
      queues,
      presenters,
      jobs,
      dueRows,
      secret,
      ...openStorage(config),
      address,
      bus,
      async close() {
        await organizations.close();
        await bus.close();
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

async function bringUpToDate(connection: ConnectionSettings, log: Logger): Promise<void> {
  const { db, close } = openPool(connection, log, { size: 1, waits: MIGRATIONS, name: 'heddle migration' });
  await migrate(db).finally(close);
}

export interface App {
  /** Resolves with the port once clients can connect. */
  listen(): Promise<number>;
  /** Answers held polls, lets requests in flight finish, writes what is not written yet. Does not close the rooms. */
  stop(withinMilliseconds: number): Promise<void>;
}

export interface AppOptions {
  /** Sees each answer before it is sent. */
  readonly onAnswer?: (endpoint: Endpoint, status: number, body: string | Buffer) => void;
}

/** The server over HTTP, with what it does by the clock. */
export async function createApp(rooms: OpenRooms, options: AppOptions = {}): Promise<App> {
  const { config, log, address, organizations, jobs, dueRows } = rooms;
  const stateParts = [...features.flatMap((feature) => feature.state?.(rooms) ?? []), ...stateOfNoneYet];
  const http = await createHttpServer({
    routes: features.flatMap((feature) => feature.routes?.(rooms, { stateParts }) ?? []),
    gatekeeper: createGatekeeper(rooms),
    log,
    version: SERVER_VERSION,
    trustProxy: config.trustProxy,
    cookies: { isSecure: config.url?.startsWith('https:') ?? false, csrfKey: keyFor(rooms.secret, 'forms of pages') },
    errorPage: pageForError,
    ...(config.rateLimits ? {} : { limits: 'off' as const }),
    ...(config.url !== null && { url: config.url }),
    outageOf: databaseOutage,
    ...options,
  });
  const mails = mailJob(
    config,
    features.flatMap((feature) => feature.mailings?.(rooms) ?? []),
  );
  await jobs.start([...housekeepingJobs(rooms), mails, ...features.flatMap((feature) => feature.jobs?.(rooms) ?? [])]);
  dueRows.start(features.flatMap((feature) => feature.dueRows?.(rooms) ?? []));
  const running = features.flatMap((feature) => feature.runs?.(rooms) ?? []);
  for (const one of running) one.start();
  const clock = startClock(rooms);
  return {
    async listen() {
      const { port } = await http.listen(config.host, config.port);
      address.listensOn(port);
      return port;
    },
    async stop(withinMilliseconds) {
      organizations.stopHolding();
      await Promise.all([http, jobs, dueRows, ...running].map((room) => room.stop(withinMilliseconds)));
      await clock.stop();
    },
  };
}

function databaseOutage(error: unknown): ApiError | undefined {
  if (isUnavailable(error)) return serviceUnavailable('The database is not available; please try again');
  // This process was stopped for so long that it has missed what is no longer kept.
  if (error instanceof LogTrimmedError) return serviceUnavailable('The organization is being loaded anew');
  return undefined;
}
