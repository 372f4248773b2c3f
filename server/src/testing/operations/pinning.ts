import type { TestClient } from '../clients/client.ts';
import { fc } from '../random/property.ts';

/** Adds, changes or removes a navigation view. */
export interface Pinning {
  readonly do: 'pin' | 'repin' | 'unpin';
  readonly who: number;
  readonly view: number;
  readonly isPinned: boolean;
}

const FRAGMENTS = ['inbox', 'narrow/is/starred', 'narrow/is/alerted', 'narrow/topic/a.20b %'];
/** The built-in views come first. */
const BUILT_IN = 2;

export function pinning(who: fc.Arbitrary<number>): fc.Arbitrary<Pinning> {
  return fc.record({
    do: fc.constantFrom('pin' as const, 'pin' as const, 'repin' as const, 'unpin' as const),
    who,
    view: fc.nat({ max: FRAGMENTS.length - 1 }),
    isPinned: fc.boolean(),
  });
}

/** Performs the operation. Ignores refusals. */
export async function performPinning({ do: what, view, isPinned }: Pinning, person: TestClient): Promise<void> {
  const fragment = FRAGMENTS[view] ?? '';
  const path = `/navigation_views/${encodeURIComponent(fragment)}`;
  // Views that are not pinned share one name, so that some are refused.
  const name = view < BUILT_IN ? undefined : isPinned ? fragment : 'Mine';
  if (what === 'unpin') await person.call('DELETE', path);
  else if (what === 'repin') await person.call('PATCH', path, { is_pinned: isPinned, name });
  else await person.call('POST', '/navigation_views', { fragment, is_pinned: isPinned, name });
}
