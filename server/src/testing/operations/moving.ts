import type { TestClient } from '../clients/client.ts';
import { fc } from '../random/property.ts';

/**
 * Moves one of the run's newest messages to another topic or channel, possibly with others of its topic, or resolves
 * the topic.
 */
export interface Movement {
  readonly do: 'move';
  readonly who: number;
  readonly message: number;
  readonly channel: number | undefined;
  readonly topic: string | undefined;
  readonly propagation: 'change_one' | 'change_later' | 'change_all';
  readonly notices: boolean;
}

export function movement(who: fc.Arbitrary<number>, channel: fc.Arbitrary<number>): fc.Arbitrary<Movement> {
  return fc.record({
    do: fc.constant('move' as const),
    who,
    message: fc.nat({ max: 8 }),
    channel: fc.option(channel, { nil: undefined }),
    topic: fc.option(fc.constantFrom('', 'one', 'two', 'three', '✔ one', '✔ two'), { nil: undefined }),
    propagation: fc.constantFrom('change_one', 'change_later', 'change_all', 'change_all'),
    notices: fc.boolean(),
  });
}

/**
 * @param messageAt the run's messages, the newest first
 * @param name the prefix of the run's channel names
 */
export async function performMove(
  { message, channel, topic, propagation: propagate_mode, notices }: Movement,
  client: TestClient,
  messageAt: (index: number) => number | undefined,
  name: string,
): Promise<void> {
  const found =
    channel === undefined ? undefined : await client.call('GET', '/get_stream_id', { stream: `${name} ${channel}` });
  await client.call('PATCH', `/messages/${messageAt(message) ?? 0}`, {
    stream_id: found?.body.stream_id,
    topic,
    propagate_mode,
    send_notification_to_old_thread: notices,
    send_notification_to_new_thread: notices,
  });
}
