import { startEmbeddedPostgres } from '@heddle/embedded-postgres';
import type { ConnectionSettings } from '@heddle/server/db/connection-settings.ts';
import { openPool } from '@heddle/server/db/pool.ts';
import { BACKUP_TIMEOUTS } from '@heddle/server/db/timeouts.ts';
import { addIdleOrganizations } from '@heddle/server/testing/database/idle-organizations.ts';
import pg from 'pg';
import { pino } from 'pino';
import { fillWithWords, indexing } from './words.ts';

/** The subscribers of a channel: `count` users from number `first`, modulo the number of users. User numbers start at 0. */
export interface Subscribers {
  readonly first: number;
  readonly count: number;
}

export interface Population {
  /** Number of users without the owner. */
  readonly people: number;
  /**
   * Whether names, addresses and times of joining differ as those of people do, so that lists of users compress like theirs. The first
   * `PLAIN_PEOPLE` keep the address of `personEmail`.
   */
  readonly varied?: boolean;
  /** Channels in addition to those of a new organization. Channel 0 has the name `bench 0`. */
  readonly channels: readonly Subscribers[];
  readonly messages?: Messages;
  /** Browsers with Web Push: each is of the person with the same number. */
  readonly pushSubscriptions?: readonly PushSubscription[];
  /** Number of copies of the organization in the same database. See `subdomainOf`. */
  readonly organizations?: number;
}

/** As `PushSubscription.toJSON()` of browsers. */
export interface PushSubscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** Messages, distributed over all channels. */
export interface Messages {
  readonly count: number;
  /** Topics per channel. The default is a few. */
  readonly topics?: number;
  /** Every n-th message has a flag row for each of the first ten users. The default is no flag rows. */
  readonly markedEvery?: number;
  /** Whether messages contain searchable words (`words.ts`). Otherwise all have the same text. */
  readonly worded?: boolean;
  /** Number of unread messages (the newest ones) by user number. The last value applies to all later users. */
  readonly unread: readonly number[];
}

export function personEmail(number: number): string {
  return `person${number}@bench.invalid`;
}

export function personName(number: number): string {
  return `Person ${number}`;
}

export function channelName(number: number): string {
  return `bench ${number}`;
}

/**
 * Fills an organization with a few SQL statements, because requests for a hundred thousand accounts would take minutes. The server must be
 * stopped, because these rows have no events. New channels are copies of the channel named `template`, which must exist.
 */
export async function populate(dataDirectory: string, population: Population, template: string): Promise<void> {
  const cluster = await startEmbeddedPostgres({ dataDirectory, log: pino({ level: 'silent' }), purpose: 'command' });
  const client = new pg.Client(cluster.connection);
  try {
    await client.connect();
    await client.query('BEGIN');
    await client.query(people, [population.people]);
    await client.query(channels, [template, population.channels.length]);
    // Without statistics, a million subscriptions would be joined row by row.
    await client.query('ANALYZE users, channels');
    await client.query(subscriptions, [
      population.channels.map(({ first }) => first),
      population.channels.map(({ count }) => count),
      population.people,
    ]);
    if (population.messages !== undefined) {
      const { count, unread, topics = 5, markedEvery, worded = false } = population.messages;
      const channelCount = population.channels.length;
      if (worded) {
        // Other connections must see the rows, so they are committed first.
        await client.query('COMMIT; BEGIN');
        const { people } = population;
        await fillWithWords(cluster.connection, { messages: count, channels: channelCount, topics, people });
      } else {
        await indexing(client, count, () => client.query(messages, [count, channelCount, topics]));
      }
      if (markedEvery !== undefined) await client.query(marks, [markedEvery]);
      await client.query(heads, [count]);
      await client.query(watermarks, [unread, population.people]);
    }
    if (population.varied) await client.query(varied, [GIVEN_NAMES, FAMILY_SYLLABLES, PLAIN_PEOPLE]);
    const { pushSubscriptions: browsers } = population;
    if (browsers !== undefined) {
      const bytes = (text: string) => Buffer.from(text, 'base64url');
      await client.query(pushSubscriptions, [
        browsers.map(({ endpoint }) => endpoint),
        browsers.map(({ endpoint }) => new URL(endpoint).host),
        browsers.map(({ p256dh }) => bytes(p256dh)),
        browsers.map(({ auth }) => bytes(auth)),
      ]);
      await client.query(pushReader);
    }
    await client.query('COMMIT');
    if (population.organizations !== undefined) await copyOrganization(cluster.connection, population.organizations);
    // A real database has a visibility map and planner statistics soon after such changes.
    await client.query(`VACUUM (ANALYZE) ${population.organizations === undefined ? FILLED.join(', ') : ''}`);
  } finally {
    await client.end();
    await cluster.stop();
  }
}

async function copyOrganization(connection: ConnectionSettings, count: number): Promise<void> {
  const { db, close } = openPool(connection, pino({ level: 'silent' }), { timeouts: BACKUP_TIMEOUTS });
  try {
    await addIdleOrganizations(db, 1, count);
  } finally {
    await close();
  }
}

const MEMBER = 400;

const FILLED = [
  'users',
  'channels',
  'subscriptions',
  'messages',
  'message_flags',
  'message_words',
  'logs',
  'sessions',
  'web_push_subscriptions',
];

const people = `
  INSERT INTO users (organization_id, email, delivery_email, full_name, role)
  SELECT o.id, 'person' || n || '@bench.invalid', 'person' || n || '@bench.invalid', 'Person ' || n, ${MEMBER}
  FROM organizations o, generate_series(0, $1::int - 1) n
  WHERE o.subdomain = ''
  ORDER BY n`;

const GIVEN_NAMES =
  `Ada Aisha Alejandro Amina Anders Anna Bao Beatriz Björn Chiara Chidi Clara Dana Daniel Dmitri Elena Emeka Emil
  Fatima Felix Freya Giulia Grace Hana Hassan Henry Hiroshi Ifeoma Ines Ivan Jamal Jana João Jun Kaito Karim Katya Kwame Lars Leila Li Lucas
  Magda Malik Maria Mei Mohamed Nadia Ngozi Nina Noah Olga Omar Oscar Paula Pavel Priya Rafael Rania Ravi Rosa Sakura Samir Sara Sven Tariq
  Thandi Tomás Uma Valentina Viktor Wei Yara Yusuf Zoë`.split(/\s+/);
const FAMILY_SYLLABLES =
  'ba ber chi da der el fer go ha is jo ka ko la lin ma mar ne no o pa qui ra ro sa shi son ta ti to ul va vi wa ya zu'.split(
    ' ',
  );

/** The people who log in. */
export const PLAIN_PEOPLE = 1000;

/** People join in the order of their ids. Those with equal names have numbers in their addresses. The hashes make the same choices each time. */
const varied = `
  WITH chosen AS (
    SELECT organization_id, id, substr(email, 7, strpos(email, '@') - 7)::int AS number, hashint4(id) & 2147483647 AS a,
           hashint4(id + 1000000) & 2147483647 AS b, hashint4(id + 2000000) & 2147483647 AS c, hashint4(id + 3000000) & 2147483647 AS d
      FROM users WHERE email ~ '^person[0-9]+@bench.invalid$'
  ), named AS (
    SELECT *, ($1::text[])[1 + a % cardinality($1::text[])] AS given,
           initcap(($2::text[])[1 + b % cardinality($2::text[])] || ($2::text[])[1 + c % cardinality($2::text[])]
                   || ($2::text[])[1 + d % cardinality($2::text[])]) AS family
      FROM chosen
  ), addressed AS (
    SELECT *, lower(given || '.' || family) || coalesce(nullif(row_number() OVER (PARTITION BY given, family ORDER BY id), 1)::text, '')
                || '@bench.invalid' AS address
      FROM named
  )
  UPDATE users
     SET full_name = given || ' ' || family,
         date_joined = timestamptz '2020-01-01Z' + make_interval(secs => number * 2000 + a % 2000),
         email = CASE WHEN number < $3::int THEN email ELSE address END,
         delivery_email = CASE WHEN number < $3::int THEN delivery_email ELSE address END
    FROM addressed WHERE users.organization_id = addressed.organization_id AND users.id = addressed.id`;

const channels = `
  INSERT INTO channels (
    organization_id, name, description, rendered_description, creator_id, is_private, is_web_public,
    history_public_to_subscribers, is_default, message_retention_days, topics_policy, folder_id, group_settings)
  SELECT
    organization_id, 'bench ' || n, description, rendered_description, creator_id, is_private, is_web_public,
    history_public_to_subscribers, false, message_retention_days, topics_policy, folder_id, group_settings
  FROM channels, generate_series(0, $2::int - 1) n
  WHERE name = $1
  ORDER BY n`;

const subscriptions = `
  WITH spec AS (
    SELECT first, count, ordinality - 1 AS number
    FROM unnest($1::int[], $2::int[]) WITH ORDINALITY AS u (first, count, ordinality)
  )
  INSERT INTO subscriptions (
    organization_id, user_id, channel_id, since_event_id, since_message_id, read_through, color)
  SELECT u.organization_id, u.id, c.id, 0, 0, 0, '#76ce90'
  FROM spec
  CROSS JOIN LATERAL generate_series(0, count - 1) AS offset_
  JOIN channels c ON c.name = 'bench ' || number
  JOIN users u ON u.organization_id = c.organization_id AND u.email = 'person' || ((first + offset_) % $3) || '@bench.invalid'`;

const messages = `
  WITH written AS (
    INSERT INTO messages (
      organization_id, id, sender_id, channel_id, topic, content, rendered_content, mentions_channel, is_me_message, client,
      sent_at)
    SELECT logs.organization_id, logs.message_head + n, u.id, c.id, 'topic ' || (n / ($2::int * 10)) % $3::int, repeat('x', 150),
      '<p>' || repeat('x', 150) || '</p>', false, false, 'bench', now()
    FROM generate_series(1, $1::int) n
    JOIN channels c ON c.name = 'bench ' || (n % $2::int)
    JOIN logs ON logs.organization_id = c.organization_id
    JOIN users u ON u.organization_id = c.organization_id AND u.email = 'person0@bench.invalid'
    ORDER BY n
    RETURNING organization_id, id, topic
  ), topics AS MATERIALIZED (
    SELECT 'topic ' || n AS topic, words_of_message('topic ' || n, '<p>' || repeat('x', 150) || '</p>') AS words
    FROM generate_series(0, $3::int - 1) n
  )
  INSERT INTO message_words (organization_id, message_id, words)
  SELECT organization_id, id, words FROM written JOIN topics USING (topic)`;

/** Read, and in turn starred or mentioned. */
const marks = `
  INSERT INTO message_flags (organization_id, user_id, message_id, flags)
  SELECT m.organization_id, u.id, m.id, 1 | (ARRAY[4, 8])[1 + m.id % 2]
  FROM messages m
  JOIN users u ON u.organization_id = m.organization_id AND u.email LIKE 'person_@bench.invalid'
  WHERE m.client = 'bench' AND m.id % $1::int = 0`;

const heads = `
  UPDATE logs SET message_head = message_head + $1 WHERE organization_id = (SELECT id FROM organizations WHERE subdomain = '')`;

const watermarks = `
  UPDATE subscriptions s SET read_through = logs.message_head - ($1::int[])[least(n + 1, cardinality($1::int[]))]
  FROM logs, generate_series(0, $2::int - 1) n
  JOIN users u ON u.email = 'person' || n || '@bench.invalid'
  WHERE logs.organization_id = s.organization_id AND u.organization_id = s.organization_id AND s.user_id = u.id`;

/** Each belongs to a session. */
const pushSubscriptions = `
  WITH browser AS (
    SELECT u.organization_id, u.id, sha256(convert_to(endpoint, 'UTF8')) AS hash, endpoint, host, public_key, auth_secret
      FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bytea[])
             WITH ORDINALITY AS one (endpoint, host, public_key, auth_secret, number)
      JOIN users u ON u.email = 'person' || (number - 1) || '@bench.invalid'
  ), session AS (
    INSERT INTO sessions (organization_id, token_hash, user_id) SELECT organization_id, hash, id FROM browser
  )
  INSERT INTO web_push_subscriptions (
    organization_id, user_id, session_hash, endpoint, host, public_key, auth_secret, shows_text)
  SELECT organization_id, id, hash, endpoint, host, public_key, auth_secret, true FROM browser`;

const pushReader = `
  INSERT INTO log_cursors (organization_id, consumer, position)
  SELECT organization_id, 'mobile-push', head FROM logs
  ON CONFLICT DO NOTHING`;
