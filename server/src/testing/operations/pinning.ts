import type { TestClient } from '../clients/client.ts';
import { fc } from '../random/property.ts';

/** Adds, changes or removes a navigation view. */
interface ViewPinning {
  readonly do: 'pin' | 'repin' | 'unpin';
  readonly who: number;
  readonly view: number;
  readonly isPinned: boolean;
}

/** Pins a message, or unpins it. */
interface MessagePinning {
  readonly do: 'fasten';
  readonly who: number;
  readonly message: number;
  readonly place: 'channel' | 'topic' | null;
}

export type Pinning = ViewPinning | MessagePinning;

const FRAGMENTS = ['inbox', 'narrow/is/starred', 'narrow/is/alerted', 'narrow/topic/a.20b %'];
/** The built-in views come first. */
const BUILT_IN = 2;

export function pinning(who: fc.Arbitrary<number>): fc.Arbitrary<Pinning> {
  const ofViews = fc.record({
    do: fc.constantFrom('pin' as const, 'pin' as const, 'repin' as const, 'unpin' as const),
    who,
    view: fc.nat({ max: FRAGMENTS.length - 1 }),
    isPinned: fc.boolean(),
  });
  const ofMessages = fc.record({
    do: fc.constant('fasten' as const),
    who,
    message: fc.nat({ max: 3 }),
    place: fc.constantFrom('channel' as const, 'topic' as const, null),
  });
  return fc.oneof(ofViews, ofMessages);
}

/**
 * Performs the operation. Ignores refusals.
 * @param messageAt the run's messages, the newest first
 */
export async function performPinning(
  operation: Pinning,
  person: TestClient,
  messageAt: (index: number) => number | undefined,
): Promise<void> {
  if (operation.do === 'fasten') {
    const { message, place } = operation;
    const path = `/messages/${messageAt(message) ?? 0}/pin`;
    await person.call(place === null ? 'DELETE' : 'POST', path, place === null ? {} : { place });
    return;
  }
  const { do: what, view, isPinned } = operation;
  const fragment = FRAGMENTS[view] ?? '';
  const path = `/navigation_views/${encodeURIComponent(fragment)}`;
  // Views that are not pinned share one name, so that some are refused.
  const name = view < BUILT_IN ? undefined : isPinned ? fragment : 'Mine';
  if (what === 'unpin') await person.call('DELETE', path);
  else if (what === 'repin') await person.call('PATCH', path, { is_pinned: isPinned, name });
  else await person.call('POST', '/navigation_views', { fragment, is_pinned: isPinned, name });
}
