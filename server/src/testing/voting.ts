import fc from 'fast-check';
import type { TestClient } from './client.ts';

/** Somebody attaches something to a message: mostly refused where it has no widget. */
export interface Voting {
  readonly do: 'vote';
  readonly who: number;
  /** Counted from the run's newest on. */
  readonly message: number;
}

export function voting(who: fc.Arbitrary<number>): fc.Arbitrary<Voting> {
  return fc.record({ do: fc.constant('vote' as const), who, message: fc.nat({ max: 2 }) });
}

export async function performVoting(message_id: number, person: TestClient): Promise<void> {
  const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 });
  await person.call('POST', '/submessage', { message_id, msg_type: 'widget', content });
}
