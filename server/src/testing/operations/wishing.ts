import type { TestClient } from '../clients/client.ts';
import { fc } from '../random/property.ts';

/** A user adds alert words, mutes a user, or completes an onboarding step. */
export interface Wishing {
  readonly do: 'watch for' | 'unwatch' | 'mute' | 'unmute' | 'was shown';
  readonly who: number;
  readonly whom: number;
  readonly word: string;
  readonly step: string;
}

/** Words that messages of the operations contain, among others. */
const WORDS = ['hello', 'Hello', 'everybody', 'never said'];
const STEPS = ['intro_inbox_view_modal', 'intro_resolve_topic'];

export function wishing(who: fc.Arbitrary<number>, whom: fc.Arbitrary<number>): fc.Arbitrary<Wishing> {
  return fc.record({
    do: fc.constantFrom<Wishing['do']>('watch for', 'unwatch', 'mute', 'mute', 'unmute', 'was shown'),
    who,
    whom,
    word: fc.constantFrom(...WORDS),
    step: fc.constantFrom(...STEPS),
  });
}

/** Performs the operation. Ignores refusals. */
export async function performWishing(wish: Wishing, person: TestClient, other: TestClient): Promise<void> {
  const path = `/users/me/muted_users/${other.userId}`;
  if (wish.do === 'watch for') await person.call('POST', '/users/me/alert_words', { alert_words: [wish.word] });
  else if (wish.do === 'unwatch') await person.call('DELETE', '/users/me/alert_words', { alert_words: [wish.word] });
  else if (wish.do === 'was shown')
    await person.call('POST', '/users/me/onboarding_steps', { onboarding_step: wish.step });
  else if (wish.do === 'mute') await person.call('POST', path);
  else await person.call('DELETE', path);
}
