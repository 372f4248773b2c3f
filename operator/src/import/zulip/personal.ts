/** What users of the reference server keep for themselves. */
import { isStep } from '@heddle/server/features/onboarding-steps/steps.ts';
import type { Lookup } from '../conversion/lookup.ts';
import type { OtherTable } from '../conversion/neutral-archive.ts';
import type { RowStore } from '../conversion/row-store.ts';
import { dateOf, isTrue, type Json, keyIn, numberIn, textIn, timeOf } from '../fields.ts';
import type { SourceRow } from '../source.ts';
import { emojiOf } from './emoji.ts';
import type { Recipients } from './people.ts';
import { profileFieldRows, profileValueRows } from './profiles.ts';

type Rows = (rows: RowStore, lookup: Lookup) => Iterable<SourceRow>;

export function personalTables(rows: RowStore, recipients: Recipients) {
  const table = (name: string, read: Rows): OtherTable => ({ table: name, rows: (lookup) => read(rows, lookup) });
  return {
    beforeMessages: [
      table('profile_fields', profileFieldRows),
      table('profile_values', profileValueRows),
      table('user_statuses', statusRows),
      table('user_topics', topicRows),
      table('alert_words', alertWordRows),
      table('muted_users', mutedUserRows),
      table('presences', presenceRows),
      table('onboarding_steps', stepRows),
      table('navigation_views', viewRows),
      table('bot_storage', storageRows),
      table('saved_snippets', snippetRows),
    ],
    afterMessages: [
      table('drafts', (all, lookup) => draftRows(all, lookup, recipients)),
      table('scheduled_messages', (all, lookup) => scheduledRows(all, lookup, recipients)),
      table('reminders', reminderRows),
    ],
  };
}

/** Rows of users. Each user has a bounded number of different ones, because clients get all of them. */
class PerUser {
  readonly #lookup: Lookup;
  readonly #what: string;
  readonly #most: number;
  readonly #counts = new Map<number, number>();
  readonly #seen = new Set<string>();

  constructor(lookup: Lookup, what: string, most: number) {
    this.#lookup = lookup;
    this.#what = what;
    this.#most = most;
  }

  /** @param key of the row among those of the user; undefined if the row is not valid */
  accepts(user: { readonly id: number } | undefined, key: string | undefined): user is { readonly id: number } {
    const whole = `${user?.id} ${key}`;
    const count = this.#counts.get(user?.id ?? 0) ?? 0;
    if (user === undefined || key === undefined || this.#seen.has(whole) || count >= this.#most) {
      this.#lookup.report.skip(`${this.#what} of unknown users, that are not valid, or too many`, key);
      return false;
    }
    this.#seen.add(whole);
    this.#counts.set(user.id, count + 1);
    return true;
  }
}

const MAX_STATUS_LENGTH = 60;

function* statusRows(rows: RowStore, lookup: Lookup): Generator<SourceRow> {
  const accepted = new PerUser(lookup, 'Statuses', 1);
  for (const row of rows.of('zerver_userstatus')) {
    const user = lookup.user(keyIn(row, 'user_profile'));
    const text = [...(textIn(row, 'status_text') ?? '').replaceAll(/\p{Cc}/gu, ' ').trim()]
      .slice(0, MAX_STATUS_LENGTH)
      .join('');
    const name = textIn(row, 'emoji_name') ?? '';
    const emoji = name === '' ? undefined : lookup.emoji(name, emojiOf(row));
    if (name !== '' && emoji === undefined) lookup.report.skip('Emoji of statuses that do not exist here', name);
    if (text === '' && emoji === undefined) continue;
    if (!accepted.accepts(user, 'status')) continue;
    yield {
      ...{ user_id: user.id, status_text: text, emoji_kind: emoji?.kind ?? null },
      ...{ emoji_code: emoji?.code ?? '', emoji_name: emoji?.name ?? '' },
    };
  }
}

const MUTED_POLICY_CODE = 1;
const POLICIES = new Set([1, 2, 3]);
const NO_POLICY_CODE = 0;
const MAX_TOPICS_PER_USER = 100_000;

function* topicRows(rows: RowStore, lookup: Lookup): Generator<SourceRow> {
  const accepted = new PerUser(lookup, 'Muted, unmuted and followed topics', MAX_TOPICS_PER_USER);
  for (const kind of ['zerver_usertopic', 'zerver_mutedtopic']) {
    for (const row of rows.of(kind)) {
      const [user, channel] = [lookup.user(keyIn(row, 'user_profile')), lookup.channel(keyIn(row, 'stream'))];
      const policy = kind === 'zerver_usertopic' ? numberIn(row, 'visibility_policy') : MUTED_POLICY_CODE;
      if (policy === NO_POLICY_CODE) continue;
      const topic = textIn(row, 'topic_name');
      const isValid = channel !== undefined && topic !== undefined && policy !== undefined && POLICIES.has(policy);
      const shown = lookup.topic(topic ?? '');
      if (!accepted.accepts(user, isValid ? `${channel.id} ${shown.toLowerCase()}` : undefined)) continue;
      const updatedAt = dateOf(row.last_updated ?? row.date_muted) ?? new Date(0);
      yield { channel_id: channel?.id, topic: shown, user_id: user.id, policy, updated_at: updatedAt };
    }
  }
}

const MAX_ALERT_WORDS = 100;
const MAX_WORD_LENGTH = 100;

function* alertWordRows(rows: RowStore, lookup: Lookup): Generator<SourceRow> {
  const accepted = new PerUser(lookup, 'Alert words', MAX_ALERT_WORDS);
  const words = new Map<number, string[]>();
  for (const row of rows.of('zerver_alertword')) {
    const user = lookup.user(keyIn(row, 'user_profile'));
    const word = (textIn(row, 'word') ?? '').replaceAll(/\p{Cc}/gu, ' ').trim();
    if (!accepted.accepts(user, word === '' || word.length > MAX_WORD_LENGTH ? undefined : word.toLowerCase()))
      continue;
    words.set(user.id, [...(words.get(user.id) ?? []), word]);
  }
  for (const [id, list] of words) yield { user_id: id, words: list };
}

const MAX_MUTED_USERS = 1000;

function* mutedUserRows(rows: RowStore, lookup: Lookup): Generator<SourceRow> {
  const accepted = new PerUser(lookup, 'Muted users', MAX_MUTED_USERS);
  for (const row of rows.of('zerver_muteduser')) {
    const [user, muted] = [lookup.user(keyIn(row, 'user_profile')), lookup.user(keyIn(row, 'muted_user'))];
    const isValid = muted !== undefined && muted.id !== user?.id;
    if (!accepted.accepts(user, isValid ? String(muted.id) : undefined)) continue;
    yield { user_id: user.id, muted_user_id: muted?.id, muted_at: dateOf(row.date_muted) ?? new Date(0) };
  }
}

function* presenceRows(rows: RowStore, lookup: Lookup): Generator<SourceRow> {
  const accepted = new PerUser(lookup, 'Times of presence', 1);
  let count = 0;
  const now = Date.now();
  const past = (seconds: unknown) => {
    const time = timeOf(seconds);
    return time === undefined || time > now ? null : new Date(time);
  };
  for (const row of rows.of('zerver_userpresence')) {
    const [active, connected] = [past(row.last_active_time), past(row.last_connected_time)];
    const user = lookup.user(keyIn(row, 'user_profile'));
    if (active === null && connected === null) continue;
    if (!accepted.accepts(user, 'presence')) continue;
    count += 1;
    yield {
      user_id: user.id,
      update_id: count,
      connected_at: connected,
      active_at: active,
      seen_at: connected ?? active,
    };
  }
}

const MAX_STEPS = 100;

function* stepRows(rows: RowStore, lookup: Lookup): Generator<SourceRow> {
  const accepted = new PerUser(lookup, 'Onboarding steps', MAX_STEPS);
  const steps = new Map<number, string[]>();
  for (const row of rows.of('zerver_onboardingstep')) {
    const user = lookup.user(keyIn(row, 'user'));
    const step = textIn(row, 'onboarding_step') ?? '';
    if (!accepted.accepts(user, isStep(step) ? step : undefined)) continue;
    steps.set(user.id, [...(steps.get(user.id) ?? []), step]);
  }
  for (const [id, shown] of steps) yield { user_id: id, shown };
}

const MAX_VIEWS = 200;
const MAX_FRAGMENT_LENGTH = 1000;

function* viewRows(rows: RowStore, lookup: Lookup): Generator<SourceRow> {
  const accepted = new PerUser(lookup, 'Navigation views', MAX_VIEWS);
  const ids = new Map<number, number>();
  for (const row of rows.of('zerver_navigationview')) {
    const user = lookup.user(keyIn(row, 'user'));
    const fragment = fragmentOf(textIn(row, 'fragment') ?? '', lookup);
    if (!accepted.accepts(user, fragment === undefined || fragment.length > MAX_FRAGMENT_LENGTH ? undefined : fragment))
      continue;
    const id = (ids.get(user.id) ?? 0) + 1;
    ids.set(user.id, id);
    const name =
      textIn(row, 'name')
        ?.replaceAll(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, MAX_WORD_LENGTH) ?? null;
    yield { user_id: user.id, id, fragment, is_pinned: isTrue(row, 'is_pinned'), name };
  }
}

/** A view of one channel has the new id. Views that name users or messages are not imported. */
function fragmentOf(fragment: string, lookup: Lookup): string | undefined {
  if (/[\p{Cc}\s]/u.test(fragment) || fragment === '') return undefined;
  if (/(?:^|\/)(?:dm|pm-with|sender|near|with|id|dm-including)\//.test(fragment) && !fragment.endsWith('sender/me'))
    return undefined;
  let isKnown = true;
  const changed = fragment.replace(
    /^narrow\/(channel|stream)\/(\d+)(-[^/]*)?/,
    (whole, word: string, key: string, name = '') => {
      const channel = lookup.channel(key);
      if (channel === undefined) isKnown = false;
      return channel === undefined ? whole : `narrow/${word}/${channel.id}${name}`;
    },
  );
  return isKnown ? changed : undefined;
}

const MAX_STORED_ENTRIES = 10_000;
const MAX_STORED_LENGTH = 1_000_000;
const MAX_KEY_LENGTH = 500;

function* storageRows(rows: RowStore, lookup: Lookup): Generator<SourceRow> {
  const accepted = new PerUser(lookup, 'Stored values of bots', MAX_STORED_ENTRIES);
  const lengths = new Map<number, number>();
  for (const row of rows.of('zerver_botstoragedata')) {
    const user = lookup.user(keyIn(row, 'bot_profile'));
    const [key, value] = [
      textIn(row, 'key')?.replaceAll('\0', '') ?? '',
      textIn(row, 'value')?.replaceAll('\0', '') ?? '',
    ];
    const length = (lengths.get(user?.id ?? 0) ?? 0) + key.length + value.length;
    const isValid = key.length <= MAX_KEY_LENGTH && length <= MAX_STORED_LENGTH && user?.isBot === true;
    if (!accepted.accepts(user, isValid ? key : undefined)) continue;
    lengths.set(user.id, length);
    yield { user_id: user.id, key, value };
  }
}

const MAX_SNIPPETS = 500;
const MAX_TITLE_LENGTH = 60;

function* snippetRows(rows: RowStore, lookup: Lookup): Generator<SourceRow> {
  const accepted = new PerUser(lookup, 'Saved snippets', MAX_SNIPPETS);
  for (const [index, row] of [...numbered(rows.of('zerver_savedsnippet'))]) {
    const user = lookup.user(keyIn(row, 'user_profile'));
    const title = [...(textIn(row, 'title') ?? '').replaceAll(/\p{Cc}/gu, ' ').trim()]
      .slice(0, MAX_TITLE_LENGTH)
      .join('');
    const content = contentOf(row, lookup);
    if (!accepted.accepts(user, title === '' || content === undefined ? undefined : String(index))) continue;
    yield { user_id: user.id, id: index, title, content, created_at: dateOf(row.date_created) ?? new Date(0) };
  }
}

function* numbered(rows: Iterable<Json>): Generator<readonly [number, Json]> {
  let number = 0;
  for (const row of rows) {
    number += 1;
    yield [number, row];
  }
}

const MAX_CONTENT_LENGTH = 10_000;

/** The text with the ids of this server; undefined if it is empty or too long. */
function contentOf(row: Json, lookup: Lookup): string | undefined {
  const content = lookup
    .markdown(textIn(row, 'content') ?? '')
    .replaceAll('\0', '')
    .trim();
  return content === '' || content.length > MAX_CONTENT_LENGTH ? undefined : content;
}

interface Address {
  readonly channelId: number | null;
  /** Ids of the other users of a direct message, ascending; the user alone for a message to oneself. */
  readonly users: readonly number[];
}

function addressOf(
  row: Json,
  sender: string | undefined,
  lookup: Lookup,
  { channels, direct }: Recipients,
): Address | undefined {
  const recipient = keyIn(row, 'recipient');
  if (recipient === undefined) return { channelId: null, users: [] };
  const channelKey = channels.get(recipient);
  if (channelKey !== undefined) {
    const channel = lookup.channel(channelKey);
    return channel === undefined || channel.isArchived ? undefined : { channelId: channel.id, users: [] };
  }
  const users = (direct.get(recipient) ?? []).map((key) => lookup.user(key)?.id);
  if (users.length === 0 || users.length > MAX_PARTICIPANTS || users.includes(undefined)) return undefined;
  const own = lookup.user(sender)?.id;
  const others = new Set(users.flatMap((id) => (id === undefined || id === own ? [] : id)));
  return { channelId: null, users: others.size === 0 && own !== undefined ? [own] : [...others].sort((a, b) => a - b) };
}

const MAX_PARTICIPANTS = 1000;
const MAX_DRAFTS = 500;

function* draftRows(rows: RowStore, lookup: Lookup, recipients: Recipients): Generator<SourceRow> {
  const accepted = new PerUser(lookup, 'Drafts', MAX_DRAFTS);
  for (const [index, row] of numbered(rows.of('zerver_draft'))) {
    const key = keyIn(row, 'user_profile');
    const user = lookup.user(key);
    const address = addressOf(row, key, lookup, recipients);
    const content = contentOf(row, lookup);
    if (!accepted.accepts(user, address === undefined || content === undefined ? undefined : String(index))) continue;
    const editedAt = dateOf(row.last_edit_time) ?? new Date(0);
    const topic = address?.channelId === null ? '' : lookup.topic(textIn(row, 'topic') ?? '');
    yield {
      ...{ user_id: user.id, id: index, channel_id: address?.channelId ?? null, recipients: address?.users ?? [] },
      ...{ topic, content, edited_at: editedAt },
    };
  }
}

const MAX_SCHEDULED_MESSAGES = 200;
const REMINDER_DELIVERY_TYPE = 2;

function* scheduledRows(rows: RowStore, lookup: Lookup, recipients: Recipients): Generator<SourceRow> {
  const accepted = new PerUser(lookup, 'Scheduled messages', MAX_SCHEDULED_MESSAGES);
  for (const [index, row] of numbered(rows.of('zerver_scheduledmessage'))) {
    if (isTrue(row, 'delivered') || numberIn(row, 'delivery_type') === REMINDER_DELIVERY_TYPE) continue;
    const key = keyIn(row, 'sender');
    const user = lookup.user(key);
    const address = addressOf(row, key, lookup, recipients);
    const content = contentOf(row, lookup);
    const deliverAt = dateOf(row.scheduled_timestamp);
    const isValid =
      address !== undefined && content !== undefined && deliverAt !== undefined && user?.isActive === true;
    const hasPlace = address !== undefined && (address.channelId !== null || address.users.length > 0);
    if (!accepted.accepts(user, isValid && hasPlace ? String(index) : undefined)) continue;
    const isDirect = address?.channelId === null;
    const participants = [...new Set([user.id, ...(address?.users ?? [])])].sort((a, b) => a - b);
    yield {
      ...{
        user_id: user.id,
        id: index,
        channel_id: address?.channelId ?? null,
        participants: isDirect ? participants : null,
      },
      ...{ topic: isDirect ? '' : lookup.topic(textIn(row, 'subject') ?? ''), content },
      ...{
        rendered_content: lookup.render(content ?? ''),
        client: 'Import',
        read_by_sender: isTrue(row, 'read_by_sender'),
      },
      ...{ deliver_at: deliverAt, failed: isTrue(row, 'failed'), revision: 1 },
    };
  }
}

const MAX_REMINDERS = 200;
const MAX_NOTE_LENGTH = 500;

function* reminderRows(rows: RowStore, lookup: Lookup): Generator<SourceRow> {
  const accepted = new PerUser(lookup, 'Reminders', MAX_REMINDERS);
  for (const [index, row] of numbered(rows.of('zerver_scheduledmessage'))) {
    if (isTrue(row, 'delivered') || numberIn(row, 'delivery_type') !== REMINDER_DELIVERY_TYPE) continue;
    const user = lookup.user(keyIn(row, 'sender'));
    const message = lookup.message(keyIn(row, 'reminder_target_message_id') ?? '');
    const content = contentOf(row, lookup);
    const deliverAt = dateOf(row.scheduled_timestamp);
    const isValid = message !== undefined && content !== undefined && deliverAt !== undefined;
    if (!accepted.accepts(user, isValid ? String(index) : undefined)) continue;
    const note = [...(textIn(row, 'reminder_note') ?? '').replaceAll(/\p{Cc}/gu, ' ')]
      .slice(0, MAX_NOTE_LENGTH)
      .join('');
    yield {
      ...{ user_id: user.id, id: index, message_id: message?.id, note, content },
      ...{ rendered_content: lookup.render(content ?? ''), deliver_at: deliverAt, failed: isTrue(row, 'failed') },
    };
  }
}
