/** The organization of the benchmark of the web app, and its users with sessions. */
import { startEmbeddedPostgres } from '@heddle/embedded-postgres';
import { Visitor } from '@heddle/server/testing/clients/visitor.ts';
import pg from 'pg';
import { pino } from 'pino';
import type { Server } from '../harness/floor.ts';
import { logIn, owner, startHeddle } from '../harness/heddle-server.ts';
import { channelName, personEmail, type Subscribers } from '../harness/population.ts';
import { removeScratch } from '../harness/scratch.ts';
import { populatedDirectory, upTo } from '../harness/site.ts';
import { type Call, call, type Login } from '../harness/wire.ts';

export interface WebSizes {
  readonly people: number;
  readonly channels: number;
  readonly messages: number;
  /** The channels of the reader. Their messages are unread. */
  readonly subscribed: number;
}

/** The numbers of the reader, and of a user in the same channels. */
const READER = 1;
const WRITER = 2;
const TOPICS = 5;

/** A topic with unread messages. */
export interface WebTopic {
  /** The fragment of its URL. */
  readonly hash: string;
  readonly channelId: number;
  readonly topic: string;
  /** The ids of its messages. */
  readonly ids: readonly number[];
}

export interface WebOrganization {
  readonly url: string;
  readonly server: Server;
  /** A topic of each of the first channels of the reader. */
  readonly topics: readonly WebTopic[];
  /** Cookies of a session: of the reader, or of the writer. */
  cookiesOf(who: 'reader' | 'writer'): Promise<readonly Cookie[]>;
  /** The writer sends a message. */
  send(topic: WebTopic, content: string): Promise<void>;
  /** Makes all messages of the reader unread again. */
  unread(): Promise<void>;
  close(): Promise<void>;
}

export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly url: string;
}

/** @param topics how many topics to look up */
export async function openWebOrganization(sizes: WebSizes, topics: number): Promise<WebOrganization> {
  const dataDirectory = await webOrganizationData(sizes);
  const organization = await serveWebOrganization(dataDirectory, Math.min(topics, sizes.subscribed));
  return {
    ...organization,
    async close() {
      await organization.close();
      await removeScratch(dataDirectory);
    },
  };
}

/** The data directory of the organization. The caller removes it. */
export async function webOrganizationData(sizes: WebSizes): Promise<string> {
  const { people, channels, messages, subscribed } = sizes;
  const others = Math.min(20, people - 3);
  const subscribers = (number: number): Subscribers =>
    number < subscribed ? { first: READER, count: others } : { first: WRITER + 1 + (number % 100), count: others };
  const dataDirectory = await populatedDirectory({
    people,
    channels: upTo(channels).map(subscribers),
    messages: { count: messages, topics: TOPICS, worded: true, unread: [0, messages, 0] },
  });
  await givePasswords(dataDirectory);
  return dataDirectory;
}

/** Starts the server of such a directory. */
export async function serveWebOrganization(dataDirectory: string, topics: number): Promise<WebOrganization> {
  const server = await startHeddle({ dataDirectory, environment: { HEDDLE_GRAVATAR: 'off' } });
  const url = `http://localhost:${server.address.port}`;
  const [reader, writer] = [await logIn(server, personEmail(READER)), await logIn(server, personEmail(WRITER))];
  return {
    url,
    server,
    topics: await topicsOf(server, reader, topics),
    async cookiesOf(who) {
      const visitor = new Visitor(url);
      const { status } = await visitor.logIn(personEmail(who === 'reader' ? READER : WRITER), owner.password);
      if (status !== 303) throw new Error(`the ${who} cannot log in (${status})`);
      return [...visitor.jar].map(([name, value]) => ({ name, value, url }));
    },
    async send({ channelId, topic }, content) {
      const parameters = { type: 'channel', to: String(channelId), topic, content };
      await call(server.address, { method: 'POST', path: '/messages', login: writer, parameters });
    },
    unread: () => markUnread(server, reader),
    close: () => server.program.stop(),
  };
}

/** All users get the password of the owner. */
export async function givePasswords(dataDirectory: string): Promise<void> {
  const cluster = await startEmbeddedPostgres({ dataDirectory, log: pino({ level: 'silent' }), purpose: 'command' });
  const client = new pg.Client(cluster.connection);
  try {
    await client.connect();
    await client.query(PASSWORDS, [owner.email, [personEmail(READER), personEmail(WRITER)]]);
  } finally {
    await client.end();
    await cluster.stop();
  }
}

const PASSWORDS = `
  UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE delivery_email = $1 AND password_hash IS NOT NULL)
  WHERE delivery_email = ANY ($2)`;

async function markUnread(server: Server, login: Login): Promise<void> {
  for (let anchor = 'oldest', isLast = false; !isLast; ) {
    const parameters = {
      anchor,
      include_anchor: 'true',
      num_before: '0',
      num_after: '5000',
      narrow: '[]',
      op: 'remove',
      flag: 'read',
    };
    const answer = await call(server.address, { method: 'POST', path: '/messages/flags/narrow', login, parameters });
    const { found_newest, last_processed_id } = answer as { found_newest: boolean; last_processed_id: number | null };
    isLast = found_newest || last_processed_id === null;
    anchor = String(last_processed_id);
  }
}

async function topicsOf(server: Server, login: Login, count: number): Promise<WebTopic[]> {
  const found: WebTopic[] = [];
  for (const number of upTo(count)) {
    const ask = (path: string, parameters: NonNullable<Call['parameters']>) =>
      call(server.address, { method: 'GET', path, login, parameters });
    const { stream_id } = (await ask('/get_stream_id', { stream: channelName(number) })) as { stream_id: number };
    const topic = `topic ${number % TOPICS}`;
    const narrow = JSON.stringify([
      { operator: 'channel', operand: stream_id },
      { operator: 'topic', operand: topic },
    ]);
    const page = { narrow, anchor: 'newest', num_before: '1000', num_after: '0' };
    const { messages } = (await ask('/messages', page)) as { messages: { id: number }[] };
    if (messages.length === 0) throw new Error(`${channelName(number)} has no message in ${topic}`);
    const hash = `#narrow/channel/${stream_id}/topic/${topic.replaceAll(' ', '.20')}`;
    found.push({ hash, channelId: stream_id, topic, ids: messages.map(({ id }) => id) });
  }
  return found;
}
