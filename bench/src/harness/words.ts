import pg from 'pg';

/**
 * Messages whose words have the frequencies of a natural language. The frequency of a word is inversely proportional to its rank (Zipf's
 * law). A message has 4 to 28 words. The module also fills the word index, with the same function as the server.
 */
export interface Worded {
  readonly messages: number;
  readonly channels: number;
  /** Per channel. */
  readonly topics: number;
  /** The senders, who take turns. */
  readonly people: number;
}

/** The number of different words. One of ten words has rank 1, and one of 200,000 has the last rank. */
const VOCABULARY = 20_000;

/** The word of a rank, as in the statement below. All ranks have different stems. */
export function wordOf(rank: number): string {
  return String(rank)
    .padStart(5, '0')
    .replaceAll(/\d/g, (digit) => LETTERS[Number(digit)] ?? '');
}

const LETTERS = 'kabiduromn';

/** Two statements run concurrently, because each keeps one core busy with parsing text. */
const AT_ONCE = 2;

/**
 * Appends messages to the `bench …` channels in turn.
 * @param connection to a database without other writers
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
 * Fills the word index, so that the server does not do it at its start. Recreating the index is faster than adding to it.
 * @param fill writes the words of the given number of messages, from the first unindexed message
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
