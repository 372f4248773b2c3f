import assert from 'node:assert/strict';
import type { Json } from '../clients/json.ts';

/** Applies a `presence` event, as a client does. A part of `Picture` (fold.ts). */
export function changePresence(presences: Json, event: Json): Json {
  if (event.presences !== undefined) return { ...presences, ...event.presences };
  const { website } = event.presence;
  const { pushable, ...aggregated } = website;
  assert.equal(pushable, false);
  return { ...presences, [event.email]: { aggregated, website } };
}

/** The users with a known presence. Events do not report that a user is still active; clients poll for that. */
export function known(presences: Json): string[] {
  return Object.keys(presences).sort();
}

/** Applies a `user_status` event, as a client does: removes empty and false properties. */
export function changeStatus(statuses: Json, { id, type, user_id, ...changed }: Json): Json {
  const { emoji_name } = changed;
  const cleared = emoji_name === '' ? { ...changed, emoji_code: '', reaction_type: '' } : changed;
  const said = Object.entries({ ...statuses[user_id], ...cleared }).filter(
    ([, value]) => value !== '' && value !== false,
  );
  const { [user_id]: _, ...others } = statuses;
  return said.length === 0 ? others : { ...others, [user_id]: Object.fromEntries(said) };
}
