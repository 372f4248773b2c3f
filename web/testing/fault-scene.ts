/** Two people who write in a topic while a test makes something fail. */
import type { Page } from 'playwright-core';
import type { BrowserWorld, Person } from './browser-world.ts';
import { boxOf, contentsOn } from './views.ts';

export interface FaultScene {
  readonly ada: Person;
  readonly bob: Person;
  readonly channelId: number;
  readonly route: string;
  /** Bob writes. */
  readonly write: (text: string, topic?: string) => Promise<number>;
  /** What Ada has sent to the topic, as the server has it. */
  readonly sentByAda: () => Promise<readonly string[]>;
}

let made = 0;

/** Ada and Bob in a channel in which Bob has written `before the fault`. */
export async function faultScene(world: BrowserWorld): Promise<FaultScene> {
  made += 1;
  const [ada, bob] = [await world.user({ name: `Ada ${made}` }), await world.user({ name: `Bob ${made}` })];
  const channelId = await world.server.emptyChannel(ada.client, `weaving ${made}`, {
    principals: [bob.client.userId],
  });
  const write = (text: string, topic = 'looms') => bob.client.send(channelId, topic, `Bob: ${text}`);
  await write('before the fault');
  const sentByAda = async () =>
    (await contentsOn(bob, channelId, 'looms')).filter((content) => !content.startsWith('Bob:'));
  return { ada, bob, channelId, route: `#narrow/channel/${channelId}/topic/looms`, write, sentByAda };
}

export async function send(page: Page, text: string): Promise<void> {
  await boxOf(page).fill(text);
  await boxOf(page).press('Control+Enter');
}
