import type { TestClient } from '../clients/client.ts';
import { fc } from '../random/property.ts';

/** Deletes one of the run's newest messages, or a whole topic. */
export type Deletion =
  | { readonly do: 'delete'; readonly who: number; readonly message: number }
  | { readonly do: 'clear'; readonly who: number; readonly channel: number; readonly topic: string };

export function deletion(who: fc.Arbitrary<number>, channel: fc.Arbitrary<number>): fc.Arbitrary<Deletion> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('delete' as const), who, message: fc.nat({ max: 8 }) }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('clear' as const),
        who,
        channel,
        topic: fc.constantFrom('', 'One'),
      }),
    },
  );
}

/**
 * @param messageAt the run's messages, the newest first
 * @param name the prefix of the run's channel names
 */
export async function performDeletion(
  deletion: Deletion,
  client: TestClient,
  messageAt: (index: number) => number | undefined,
  name: string,
): Promise<void> {
  if (deletion.do === 'delete') {
    await client.call('DELETE', `/messages/${messageAt(deletion.message) ?? 0}`);
    return;
  }
  const { body } = await client.call('GET', '/get_stream_id', { stream: `${name} ${deletion.channel}` });
  await client.call('POST', `/streams/${body.stream_id ?? 0}/delete_topic`, { topic_name: deletion.topic });
}
