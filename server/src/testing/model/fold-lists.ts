/** Lists of a client's state (fold.ts) that change independently: each of these events affects nothing else. */
import assert from 'node:assert/strict';
import type { Json } from '../clients/json.ts';

export function changeFolders(folders: Json[], { op, channel_folder, channel_folder_id, data, order }: Json): void {
  switch (op) {
    case 'add':
      assert(!folders.some((one) => one.id === channel_folder.id), 'the folder is new to the client');
      folders.push(structuredClone(channel_folder));
      break;
    case 'update': {
      const folder = folders.find((one) => one.id === channel_folder_id);
      assert(folder !== undefined, 'the client knows the folder that changes');
      Object.assign(folder, data);
      break;
    }
    case 'reorder':
      assert.equal(order.length, folders.length, 'the order names all folders');
      for (const folder of folders) folder.order = order.indexOf(folder.id);
      break;
    default:
      assert.fail(`channel_folder, op ${op}`);
  }
}

export function changeSnippets(snippets: readonly Json[], { op, saved_snippet, saved_snippet_id }: Json): Json[] {
  const id = saved_snippet?.id ?? saved_snippet_id;
  assert.equal(op === 'add', !snippets.some((one) => one.id === id), 'only what is new is added');
  if (op === 'add') return [...snippets, saved_snippet];
  if (op === 'update') return snippets.map((one) => (one.id === id ? saved_snippet : one));
  return snippets.filter((one) => one.id !== id);
}

export function changeDrafts(drafts: readonly Json[], { op, drafts: added = [], draft, draft_id }: Json): Json[] {
  if (op === 'add') {
    assert(!added.some(({ id }: Json) => drafts.some((one) => one.id === id)), 'the drafts are new to the client');
    return [...drafts, ...added];
  }
  const id = draft?.id ?? draft_id;
  assert(
    drafts.some((one) => one.id === id),
    'the client knows the draft',
  );
  return op === 'update' ? drafts.map((one) => (one.id === id ? draft : one)) : drafts.filter((one) => one.id !== id);
}

export function changeViews(views: readonly Json[], { op, navigation_view: added, fragment, data }: Json): Json[] {
  const named = added?.fragment ?? fragment;
  assert.equal(op === 'add', !views.some((one) => one.fragment === named), 'only what is new is added');
  if (op === 'add') return [...views, added];
  if (op === 'update') return views.map((one) => (one.fragment === named ? { ...one, ...data } : one));
  return views.filter((one) => one.fragment !== named);
}

export function changeDomains(domains: readonly Json[], { op, realm_domain, domain }: Json): Json[] {
  const named = realm_domain?.domain ?? domain;
  assert.equal(op === 'add', !domains.some((one) => one.domain === named), 'only what is new is added');
  if (op === 'add') return [...domains, realm_domain];
  if (op === 'change') return domains.map((one) => (one.domain === named ? realm_domain : one));
  return domains.filter((one) => one.domain !== named);
}

/** Registrations with the push service, by account id of the phone. */
export function changePushDevices(devices: Json, { push_account_id, status, error_code = null }: Json): Json {
  assert.equal(status === 'failed', error_code !== null, 'what has failed says why');
  return { ...devices, [push_account_id]: { status, error_code } };
}

/** Client devices. Their properties do not change. */
export function changeDevices(devices: Json, { op, device_id }: Json): Json {
  assert.equal(op === 'add', !(device_id in devices), 'only what is new is added');
  const { [device_id]: _, ...others } = devices;
  if (op === 'remove') return others;
  const nothing = {
    push_key_id: null,
    push_token_id: null,
    pending_push_token_id: null,
    push_token_last_updated_timestamp: null,
    push_registration_error_code: null,
  };
  return { ...others, [device_id]: nothing };
}

/** Adds elements to a client's list, and fails if one is already there. */
export function joined(list: readonly number[], added: readonly number[]): number[] {
  assert(!added.some((id) => list.includes(id)), 'who joins was not there');
  return [...list, ...added];
}

/** Removes elements from a client's list, and fails if one is missing. */
export function left(list: readonly number[], removed: readonly number[]): number[] {
  assert(
    removed.every((id) => list.includes(id)),
    'who leaves was there',
  );
  return list.filter((id) => !removed.includes(id));
}

/** Lists of what the user has scheduled. */
export const OWN_LISTS = ['scheduled_messages', 'reminders'] as const;

const ownId = (one: Json): number => one.scheduled_message_id ?? one.reminder_id;

export function byOwnId(a: Json, b: Json): number {
  return ownId(a) - ownId(b);
}

/** Adds, changes or removes one of them. */
export function changeOwnList(list: readonly Json[], event: Json): Json[] {
  const changed = event[event.type]?.[0] ?? event.scheduled_message;
  const id = ownId(changed ?? event);
  assert.equal(event.op === 'add', !list.some((one) => ownId(one) === id), 'only what is new is added');
  return [...list.filter((one) => ownId(one) !== id), ...(changed === undefined ? [] : [changed])];
}
