/** Places where people of a test talk. */
import type { Page } from 'playwright-core';
import type { BrowserWorld, Person } from './browser-world.ts';

/** Two members in a channel without messages. */
export interface Scene {
  readonly ada: Person;
  readonly bob: Person;
  readonly channel: string;
  readonly channelId: number;
  /** The fragment of the topic `looms`. */
  readonly route: string;
  /** Bob writes in `looms`, or in another topic. Returns the id. */
  readonly write: (text: string, topic?: string) => Promise<number>;
  /** Marks messages as read by Ada. */
  readonly read: (ids: readonly number[]) => Promise<void>;
}

let made = 0;

/** Creates two members and a channel, with names that no other scene has. */
export async function sceneOf(world: BrowserWorld): Promise<Scene> {
  made += 1;
  const channel = `weaving ${made}`;
  const [ada, bob] = [await world.user({ name: `Ada ${made}` }), await world.user({ name: `Bob ${made}` })];
  const channelId = await world.server.emptyChannel(ada.client, channel, { principals: [bob.client.userId] });
  return {
    ada,
    bob,
    channel,
    channelId,
    route: `#narrow/channel/${channelId}/topic/looms`,
    write: (text, topic = 'looms') => bob.client.send(channelId, topic, text),
    async read(ids) {
      const messages = JSON.stringify(ids);
      await ada.client.ok('POST', '/messages/flags', { messages, op: 'add', flag: 'read' });
    },
  };
}

/** Allows or forbids everybody but the owner to write in the channel. */
export async function allowWriting(world: BrowserWorld, channelId: number, isAllowed: boolean): Promise<void> {
  const { client } = world.owner;
  const { user_groups: groups } = await client.ok('GET', '/user_groups');
  const wanted = isAllowed ? 'role:everyone' : 'role:owners';
  const group = groups.find(({ name }: { name: string }) => name === wanted).id;
  await client.ok('PATCH', `/streams/${channelId}`, { can_send_message_group: JSON.stringify({ new: group }) });
}

/** The message with this text. */
export function messageOf(page: Page, text: string | RegExp) {
  return page.getByRole('article').filter({ hasText: text });
}

/** Where the message is on the screen, in pixels from the top. */
export async function topOf(page: Page, text: string | RegExp): Promise<number> {
  const box = await messageOf(page, text).boundingBox();
  if (box === null) throw new Error(`the message ${text} is not on the screen`);
  return Math.round(box.y);
}

/** Resolves after the browser has drawn the next frames. */
export function drawn(page: Page): Promise<unknown> {
  return page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}
