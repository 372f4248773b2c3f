import pg from 'pg';

/**
 * Messages of words that are as common and as rare as those of a language: the word of a rank is one of so many words (Zipf's law), and a
 * message has between four and 28. The server's index of words is filled as well, by the function that the server fills it with.
 */
export interface Worded {
  readonly messages: number;
  readonly channels: number;
  /** Of each channel. */
  readonly topics: number;
  /** Who write them in turn. */
  readonly people: number;
}

/** Different words: that of rank 1 is one of ten, that of the last rank one of 200,000. */
const VOCABULARY = 20_000;

/** As the statement below writes a rank. No two ranks have one stem. */
export function wordOf(rank: number): string {
  return String(rank)
    .padStart(5, '0')
    .replaceAll(/\d/g, (digit) => LETTERS[Number(digit)] ?? '');
}

const LETTERS = 'kabiduromn';

/** Two at once: PostgreSQL parses texts for a core each. */
const AT_ONCE = 2;

/**
 * Writes the messages after those that there are, `bench …` channels by turns.
 * @param connection to a database in which nobody else writes
 */
export async function fillWithWords(connection: pg.ClientConfig, worded: Worded): Promise<void> {
  const parts = Array.from({ length: AT_ONCE }, (_, part) => part);
  const clients = parts.map(() => new pg.Client(connection));
  const [first] = clients;
  if (first === undefined) return;
  try {
    for (const client of clients) await client.connect();
    const share = Math.ceil(worded.messages / AT_ONCE);
    await indexing(first, worded.messages, () =>
      Promise.all(
        clients.map(async (client, part) => {
          await client.query('SELECT setseed($1)', [(part + 1) / 10]);
          const through = Math.min(worded.messages, (part + 1) * share);
          await client.query(messages, [part * share + 1, through, worded.channels, worded.topics, worded.people]);
        }),
      ),
    );
  } finally {
    for (const client of clients) await client.end();
  }
}

/**
 * Fills the server's index of words, so that it does not begin with that. To make the index anew takes less than to add to it.
 * @param fill writes the words of that many messages, the first after those that there are
 */
export async function indexing(client: pg.Client, count: number, fill: () => Promise<unknown>): Promise<void> {
  const { rows } = await client.query(`SELECT indexdef FROM pg_indexes WHERE indexname = 'message_words_by_word'`);
  await client.query('DROP INDEX message_words_by_word');
  await fill();
  await client.query(rows[0].indexdef);
  await client.query(indexed, [count]);
}

const messages = `
  WITH written AS (
    INSERT INTO messages (
      organization_id, id, sender_id, channel_id, topic, content, rendered_content, mentions_channel, is_me_message, client,
      sent_at)
    SELECT logs.organization_id, logs.message_head + n, u.id, c.id, 'topic ' || (n / ($3::int * 10)) % $4::int,
           text, '<p>' || text || '</p>', false, false, 'bench', now()
    FROM (SELECT n, (SELECT string_agg(translate(lpad(floor(${VOCABULARY} ^ random())::int::text, 5, '0'), '0123456789', '${LETTERS}'), ' ')
                       FROM generate_series(1, 4 + floor(random() * 25 + 0 * n)::int)) AS text
            FROM generate_series($1::int, $2::int) n) AS text
    JOIN channels c ON c.name = 'bench ' || (n % $3::int)
    JOIN logs ON logs.organization_id = c.organization_id
    JOIN users u ON u.organization_id = c.organization_id AND u.email = 'person' || ((n / $3::int) % $5::int) || '@bench.invalid'
    RETURNING organization_id, id, topic, rendered_content
  )
  INSERT INTO message_words (organization_id, message_id, words)
  SELECT organization_id, id, words_of_message(topic, rendered_content) FROM written`;

const indexed = `
  INSERT INTO indexed_messages (organization_id, through)
  SELECT organization_id, message_head + $1 FROM logs WHERE organization_id = (SELECT id FROM organizations WHERE subdomain = '')
  ON CONFLICT (organization_id) DO UPDATE SET through = EXCLUDED.through`;
