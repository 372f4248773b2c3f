/** Writes the messages of the sample organization: oldest first, with reactions, votes and files. */
import { upload } from '@heddle/server/testing/clients/user-files.ts';
import { sql } from 'kysely';
import type { BrowserWorld, Person } from '../browser-world.ts';
import type { Short } from './sample-people.ts';
import { DIRECTS, type FILES, type SampleMessage, TOPICS } from './sample-talk.ts';

type People = Readonly<Record<Short, Person>>;
type Files = Readonly<Record<(typeof FILES)[number], string>>;

interface Setting {
  readonly people: People;
  readonly channels: Readonly<Record<string, number>>;
  readonly files: Files;
}

/** A message with its conversation. */
interface Letter extends SampleMessage {
  readonly to: Readonly<Record<string, unknown>>;
  readonly isUnread: boolean;
}

/** Uploads the files that messages contain. Returns their paths. */
export async function uploadFiles(
  url: string,
  people: People,
  pictures: Readonly<Record<'morning' | 'noon' | 'evening' | 'chart', Buffer>>,
): Promise<Files> {
  const picture = (from: Short, name: string, content: Buffer) =>
    upload(url, people[from].client, content, { name: `${name}.png`, type: 'image/png' });
  return {
    morning: await picture('priya', 'morning', pictures.morning),
    noon: await picture('priya', 'noon', pictures.noon),
    evening: await picture('priya', 'evening', pictures.evening),
    chart: await picture('sam', 'measured-vs-forecast', pictures.chart),
    minutes: await upload(url, people.mara.client, '%PDF-1.4\n', { name: 'minutes.pdf', type: 'application/pdf' }),
  };
}

/** Sends all messages. Returns the ids of those with a key. */
export async function writeMessages(
  world: BrowserWorld,
  { people, channels, files }: Setting,
): Promise<Record<string, number>> {
  const letters = [...topicLetters(channels), ...directLetters(people)].sort((a, b) => b.age - a.age);
  const keys: Record<string, number> = {};
  const read: number[] = [];
  const now = Date.now();
  for (const { from, text, to, age, key, reactions = {}, isUnread } of letters) {
    const content = text.replaceAll(/\{(\w+)\}/g, (all, name: string) =>
      name in files ? files[name as keyof Files] : all,
    );
    const { id } = await people[from].client.ok('POST', '/messages', { ...to, content });
    await sql`UPDATE messages SET sent_at = ${new Date(now - age * 60_000)} WHERE id = ${id}`.execute(
      world.server.app.db,
    );
    if (key !== undefined) keys[key] = Number(id);
    if (!isUnread) read.push(Number(id));
    for (const [emoji_name, who] of Object.entries(reactions)) {
      for (const short of who) await people[short].client.ok('POST', `/messages/${id}/reactions`, { emoji_name });
    }
  }
  await people.mara.client.ok('POST', '/messages/flags', { messages: read, op: 'add', flag: 'read' });
  await vote(people, keys);
  await people.mara.client.ok('POST', `/messages/${keys.mention ?? 0}/pin`, { place: 'topic' });
  await people.mara.client.ok('POST', `/messages/${keys.code ?? 0}/pin`, { place: 'channel' });
  return keys;
}

function topicLetters(channels: Setting['channels']): Letter[] {
  return TOPICS.flatMap(({ channel, topic, messages, unread = 0 }) =>
    messages.map((message, index) => ({
      ...message,
      to: { type: 'channel', to: channels[channel], topic },
      isUnread: index >= messages.length - unread,
    })),
  );
}

function directLetters(people: People): Letter[] {
  return DIRECTS.flatMap(({ with: participants, messages, unread = 0 }) =>
    messages.map((message, index) => ({
      ...message,
      to: { type: 'direct', to: participants.map((short) => people[short].client.userId) },
      isUnread: index >= messages.length - unread,
    })),
  );
}

/** Votes in the poll, and completes tasks of the list. */
async function vote(people: People, keys: Readonly<Record<string, number>>): Promise<void> {
  const votes: readonly (readonly [Short, string])[] = [
    ['tomas', 'canned,2'],
    ['luca', 'canned,2'],
    ['elif', 'canned,0'],
    ['mara', 'canned,2'],
  ];
  for (const [short, key] of votes) {
    const content = JSON.stringify({ type: 'vote', key, vote: 1 });
    await people[short].client.ok('POST', '/submessage', { message_id: keys.poll, msg_type: 'widget', content });
  }
  for (const key of ['0,canned', '1,canned']) {
    const content = JSON.stringify({ type: 'strike', key });
    await people.noor.client.ok('POST', '/submessage', { message_id: keys.todo, msg_type: 'widget', content });
  }
}
