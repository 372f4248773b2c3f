/** Puts the rooms together; the only file that knows them all. */
import type { Endpoint } from '@heddle/api/contract.ts';
import { type ApiError, serviceUnavailable } from '@heddle/api/errors.ts';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { isUnavailable } from './db/failures.ts';
import { migrate } from './db/migrate.ts';
import { type ConnectionSettings, openPool, surviveBrokenConnections } from './db/pool.ts';
import { Organizations } from './directory/organizations.ts';
import { createGatekeeper } from './features/authentication/gatekeeper.ts';
import { authenticationRoutes } from './features/authentication/routes.ts';
import { presentChannels } from './features/channels/events.ts';
import { channelRoutes } from './features/channels/routes.ts';
import {
  channelLimitsState,
  channelsState,
  defaultChannelGroupsState,
  defaultChannelsState,
} from './features/channels/state.ts';
import { serveEmojiData } from './features/emoji/serve.ts';
import { eventRoutes } from './features/events/routes.ts';
import { eventsState } from './features/events/state.ts';
import { ExternalAddress } from './features/external-address.ts';
import type { StatePart } from './features/initial-state.ts';
import { MessageActions } from './features/messages/actions.ts';
import { Conversations } from './features/messages/conversations.ts';
import { presentMessages } from './features/messages/events.ts';
import { MessageQueries } from './features/messages/queries.ts';
import { messageRoutes } from './features/messages/routes.ts';
import { Sender } from './features/messages/send.ts';
import { messagesState } from './features/messages/state.ts';
import { stateOfNoneYet } from './features/none-yet.ts';
import { presentOrganizations } from './features/organizations/events.ts';
import { organizationRoutes } from './features/organizations/routes.ts';
import { organizationState } from './features/organizations/state.ts';
import type { HeddleRoute, Rooms } from './features/rooms.ts';
import { presentSubscriptions } from './features/subscriptions/events.ts';
import { subscriptionRoutes } from './features/subscriptions/routes.ts';
import { subscriptionsState } from './features/subscriptions/state.ts';
import { topicRoutes } from './features/topics/routes.ts';
import { presentTyping } from './features/typing/events.ts';
import { typingRoutes } from './features/typing/routes.ts';
import { typingState } from './features/typing/state.ts';
import { presentUserGroups } from './features/user-groups/events.ts';
import { userGroupsState } from './features/user-groups/state.ts';
import { userSettingsState } from './features/user-settings/state.ts';
import { presentUsers } from './features/users/events.ts';
import { userRoutes } from './features/users/routes.ts';
import { usersState } from './features/users/state.ts';
import { createHttpServer } from './http/server.ts';
import { type Bus, createBus } from './log/bus.ts';
import { Presenters } from './log/presentation.ts';
import { QueueStore } from './log/queue-store.ts';
import { trimLogs } from './log/retention.ts';
import { confirmSecret, loadSecret } from './secret.ts';
import { SERVER_VERSION } from './version.ts';

export interface OpenRoomsOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Where the database is: `HEDDLE_DATABASE_URL`, or the embedded cluster. */
  readonly connection: ConnectionSettings;
  /** The command line announces its changes to whoever serves; a lone serving process has nobody to tell. */
  readonly purpose: 'serve' | 'command';
}

export interface OpenRooms extends Rooms {
  readonly bus: Bus;
  /** Lets what was begun finish, and closes the connections. */
  close(): Promise<void>;
}

/** Connects, migrates, and builds what features stand on. */
export async function openRooms({ config, log, connection, purpose }: OpenRoomsOptions): Promise<OpenRooms> {
  const { db, pool, settings, close: closePool } = openPool(connection, log);
  const signals = new pg.Pool({ ...settings, max: 1, idleTimeoutMillis: 0, application_name: 'heddle signals' });
  surviveBrokenConnections(signals, log);
  try {
    await migrate(db);
    const secret = await loadSecret(config.dataDirectory, log);
    await confirmSecret(db, secret);
    const announces = purpose === 'command' || config.bus === 'postgres';
    const bus = createBus({ pool: signals, settings, log, announces });
    const presenters = new Presenters();
    const organizations = new Organizations({
      db,
      pool,
      signals,
      bus,
      presenters,
      heartbeatMilliseconds: config.heartbeatSeconds * 1000,
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
    presentMessages(presenters, { organizations });
    presentTyping(presenters);
    presentOrganizations(presenters);
    presentUsers(presenters);
    presentUserGroups(presenters);
    presentChannels(presenters, { organizations });
    presentSubscriptions(presenters, { organizations });
    const address = new ExternalAddress(config);
    return {
      config,
      log,
      db,
      pool,
      organizations,
      queues,
      presenters,
      secret,
      address,
      bus,
      async close() {
        await organizations.close();
        await bus.close();
        await signals.end();
        await closePool();
      },
    };
  } catch (error) {
    await signals.end();
    await closePool();
    throw error;
  }
}

function statePartsOf(rooms: Rooms): readonly StatePart[] {
  return [
    ...organizationState(rooms),
    usersState,
    ...userGroupsState,
    channelsState,
    defaultChannelsState,
    defaultChannelGroupsState,
    channelLimitsState,
    subscriptionsState,
    ...messagesState,
    typingState,
    ...userSettingsState,
    ...stateOfNoneYet,
    eventsState,
  ];
}

function routesOf(rooms: Rooms): readonly HeddleRoute[] {
  const conversations = new Conversations(rooms.db);
  const messageQueries = new MessageQueries(rooms.db, conversations);
  const messageActions = new MessageActions(rooms, new Sender(rooms.pool), conversations);
  return [
    ...authenticationRoutes(rooms),
    ...organizationRoutes(rooms),
    ...userRoutes(rooms, messageQueries),
    ...channelRoutes(rooms),
    ...subscriptionRoutes(rooms),
    ...topicRoutes(rooms),
    ...messageRoutes(messageActions, messageQueries),
    ...typingRoutes(),
    ...eventRoutes(rooms, statePartsOf(rooms)),
  ];
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
  const { config, log, address, organizations } = rooms;
  const http = await createHttpServer({
    routes: routesOf(rooms),
    gatekeeper: createGatekeeper(rooms),
    log,
    version: SERVER_VERSION,
    trustProxy: config.trustProxy,
    ...(config.rateLimits ? {} : { limits: 'off' as const }),
    ...(config.url !== null && { url: config.url }),
    outageOf: databaseOutage,
    ...options,
  });
  serveEmojiData(http.app);
  const housekeeping = startHousekeeping(rooms);
  return {
    async listen() {
      const { port } = await http.listen(config.host, config.port);
      address.listensOn(port);
      return port;
    },
    async stop(withinMilliseconds) {
      organizations.stopHolding();
      await http.stop(withinMilliseconds);
      await housekeeping.stop();
    },
  };
}

function databaseOutage(error: unknown): ApiError | undefined {
  return isUnavailable(error) ? serviceUnavailable('The database is not available; please try again') : undefined;
}

/** Last-fetched times are written this often, in milliseconds; a killed server forgets that much of them. */
const FLUSH_EVERY = 5000;
const CLEAN_EVERY = 60_000;
/** Events stay at least this long, in seconds, whoever reads them. */
const KEEP_EVENTS = 600;

/** Everything that happens by the clock. A failure is logged and tried again at the next turn. */
function startHousekeeping({ queues, db, organizations, config, log }: OpenRooms) {
  let running: Promise<unknown> = Promise.resolve();
  const inTurn = (task: () => Promise<unknown>) => {
    running = running.then(task).catch((error) => log.warn({ err: error }, 'housekeeping failed'));
  };
  const clean = async () => {
    await queues.flush();
    await queues.collect();
    await trimLogs(db, KEEP_EVENTS);
    organizations.dropIdle();
  };
  const timers = [
    setInterval(() => inTurn(() => queues.flush()), FLUSH_EVERY),
    setInterval(() => inTurn(clean), Math.min(CLEAN_EVERY, config.queueIdleSeconds * 500)),
  ];
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer);
      inTurn(() => queues.flush());
      await running;
    },
  };
}
