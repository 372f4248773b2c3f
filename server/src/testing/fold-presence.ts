import assert from 'node:assert/strict';
import type { Json } from './client.ts';

/** What a client makes of a `presence` event: a part of `Picture` (fold.ts). */
export function changePresence(presences: Json, event: Json): Json {
  if (event.presences !== undefined) return { ...presences, ...event.presences };
  const { website } = event.presence;
  const { pushable, ...aggregated } = website;
  assert.equal(pushable, false);
  return { ...presences, [event.email]: { aggregated, website } };
}

/** Whom the client knows anything of: that somebody is still there it hears by asking, not by events. */
export function known(presences: Json): string[] {
  return Object.keys(presences).sort();
}
