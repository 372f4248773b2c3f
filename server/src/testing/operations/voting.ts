import type { TestClient } from '../clients/client.ts';
import { fc } from '../random/property.ts';

/** Adds a submessage to a message. It is usually refused if the message has no widget. */
export interface Voting {
  readonly do: 'vote';
  readonly who: number;
  /** The index from the run's newest message on. */
  readonly message: number;
}

export function voting(who: fc.Arbitrary<number>): fc.Arbitrary<Voting> {
  return fc.record({ do: fc.constant('vote' as const), who, message: fc.nat({ max: 2 }) });
}

export async function performVoting(message_id: number, person: TestClient): Promise<void> {
  const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 });
  await person.call('POST', '/submessage', { message_id, msg_type: 'widget', content });
}
