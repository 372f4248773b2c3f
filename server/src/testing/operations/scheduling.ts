import type { TestClient } from '../clients/client.ts';
import { fc } from '../random/property.ts';
import { deliverAll, inSeconds } from '../server/due.ts';
import type { TestServer } from '../server/server.ts';

/** Schedules a message or a reminder, changes or deletes one of the user's, or makes all scheduled ones due. */
export type Scheduling =
  | { readonly do: 'schedule'; readonly who: number; readonly channel: number; readonly topic: string }
  | { readonly do: 'schedule to'; readonly who: number; readonly whom: number }
  | { readonly do: 'remind'; readonly who: number; readonly message: number }
  /** The index among the user's own. */
  | { readonly do: 'reschedule' | 'unschedule' | 'unremind'; readonly who: number; readonly which: number }
  | { readonly do: 'deliver' };

export function scheduling(who: fc.Arbitrary<number>, channel: fc.Arbitrary<number>): fc.Arbitrary<Scheduling> {
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant('schedule' as const),
        who,
        channel,
        topic: fc.constantFrom('', 'one', 'three'),
      }),
    },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('schedule to' as const), who, whom: fc.nat({ max: 5 }) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('remind' as const), who, message: fc.nat({ max: 8 }) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constantFrom('reschedule' as const, 'unschedule' as const, 'unremind' as const),
        who,
        which: fc.nat({ max: 2 }),
      }),
    },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('deliver' as const) }) },
  );
}

/**
 * @param messageAt the run's messages, the newest first
 * @param name the prefix of the run's channel names
 */
export async function performScheduling(
  change: Scheduling,
  server: TestServer,
  person: (index: number) => TestClient,
  messageAt: (index: number) => number | undefined,
  name: string,
): Promise<void> {
  if (change.do === 'deliver') {
    await deliverAll(server);
    return;
  }
  const client = person(change.who);
  const scheduled_delivery_timestamp = inSeconds(86_400);
  switch (change.do) {
    case 'schedule': {
      const { body } = await client.call('GET', '/get_stream_id', { stream: `${name} ${change.channel}` });
      const target = { type: 'channel', to: body.stream_id ?? 0, topic: change.topic };
      const content = '@**all** it is time';
      await client.call('POST', '/scheduled_messages', { ...target, content, scheduled_delivery_timestamp });
      break;
    }
    case 'schedule to': {
      const to = [person(change.whom).userId];
      const fields = { type: 'direct', to, content: 'it is time', scheduled_delivery_timestamp };
      await client.call('POST', '/scheduled_messages', fields);
      break;
    }
    case 'remind': {
      const message_id = messageAt(change.message) ?? 0;
      await client.call('POST', '/reminders', { message_id, scheduled_delivery_timestamp, note: 'soon' });
      break;
    }
    case 'reschedule':
    case 'unschedule': {
      const { body } = await client.call('GET', '/scheduled_messages');
      const path = `/scheduled_messages/${body.scheduled_messages?.[change.which]?.scheduled_message_id ?? 0}`;
      if (change.do === 'unschedule') await client.call('DELETE', path);
      else await client.call('PATCH', path, { topic: '', content: 'later', scheduled_delivery_timestamp });
      break;
    }
    case 'unremind': {
      const { body } = await client.call('GET', '/reminders');
      await client.call('DELETE', `/reminders/${body.reminders?.[change.which]?.reminder_id ?? 0}`);
    }
  }
}
