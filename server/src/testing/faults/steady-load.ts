/** People who send and one who reads, while a test changes the processes behind one URL. Any response but a success is a failure. */
import assert from 'node:assert/strict';
import type { TestClient } from '../clients/client.ts';
import { EventCursor } from '../clients/event-cursor.ts';
import { until } from '../server/until.ts';

const SENDERS = 2;
const LAST = 'the last message';

export interface SteadyLoad {
  /** Resolves after 20 more messages, or with the first failure. */
  more(): Promise<void>;
  /** Ends the load. Checks that the reader has received each message once. */
  finish(): Promise<void>;
}

/** Both are subscribed to the channel `loom`. */
export async function startLoad(sender: TestClient, reader: TestClient): Promise<SteadyLoad> {
  const received: string[] = [];
  // The reader polls one queue from the beginning to the end.
  const queue = await reader.ok('POST', '/register', { event_types: ['message'] });
  const reading = (async () => {
    const cursor = new EventCursor(queue.last_event_id);
    // timing: it reads until the last message
    while (received.at(-1)?.includes(LAST) !== true) {
      const fields = { queue_id: queue.queue_id, last_event_id: cursor.lastEventId };
      const { events } = await reader.ok('GET', '/events', fields);
      cursor.accept(events);
      for (const event of events) if (event.type === 'message') received.push(event.message.content);
    }
  })();

  const sent: string[] = [];
  let isLoaded = true;
  const send = async (content: string) => {
    await sender.ok('POST', '/messages', { type: 'channel', to: 'loom', topic: 'warp', content });
    sent.push(content);
  };
  const sending = Array.from({ length: SENDERS }, async (_, lane) => {
    for (let count = 0; isLoaded; count += 1) await send(`${lane}.${count}`);
  });
  let failure: unknown;
  const load = Promise.all([...sending, reading]).catch((error: unknown) => {
    failure = error;
  });
  const check = () => {
    if (failure !== undefined) throw failure;
  };
  return {
    async more() {
      const before = sent.length;
      await until(() => failure !== undefined || sent.length > before + 20, '20 more messages');
      check();
    },
    async finish() {
      isLoaded = false;
      await Promise.all(sending);
      await send(LAST);
      await load;
      check();
      assert.deepEqual(received.map((html) => html.replaceAll(/<[^>]+>/g, '')).toSorted(), sent.toSorted());
    },
  };
}
