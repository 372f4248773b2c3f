/** Profile fields and statuses that another program has built in. */
import { checkedText, SHORT_TEXT } from '@heddle/server/domain/users/profile-fields/checking.ts';
import type { SourceRow } from '../source.ts';
import type { Lookup } from './lookup.ts';
import type { OtherTable } from './neutral-archive.ts';

export interface Profile {
  readonly user: string;
  /** Texts by the names of the fields. */
  readonly texts: Readonly<Record<string, string | undefined>>;
  readonly status?: { readonly text: string; readonly emoji: string } | undefined;
}

const MAX_STATUS_LENGTH = 60;

/** @param names of the fields, in their order */
export function profileTables(names: readonly string[], profiles: () => Iterable<Profile>): readonly OtherTable[] {
  return [
    { table: 'profile_fields', rows: () => fieldRows(names, profiles()) },
    { table: 'profile_values', rows: (lookup) => valueRows(names, profiles(), lookup) },
    { table: 'user_statuses', rows: (lookup) => statusRows(profiles(), lookup) },
  ];
}

/** Only fields that a profile has. */
function* fieldRows(names: readonly string[], profiles: Iterable<Profile>): Generator<SourceRow> {
  const used = new Set<string>();
  for (const { texts } of profiles) {
    for (const [name, text] of Object.entries(texts)) if (text !== undefined && text !== '') used.add(name);
  }
  for (const [index, name] of names.entries()) {
    if (!used.has(name)) continue;
    yield {
      ...{ id: index + 1, name, type: SHORT_TEXT.id, hint: '', data: '', position: index, deleted_at: null },
      ...{ is_required: false, is_editable_by_user: true, is_in_summary: false },
    };
  }
}

function* valueRows(names: readonly string[], profiles: Iterable<Profile>, lookup: Lookup): Generator<SourceRow> {
  const seen = new Set<number>();
  for (const { user: key, texts } of profiles) {
    const user = lookup.user(key);
    if (user === undefined || seen.has(user.id)) continue;
    seen.add(user.id);
    for (const [index, name] of names.entries()) {
      const text = texts[name]?.replaceAll(/[\0\p{Cs}]/gu, '').trim() ?? '';
      if (text === '') continue;
      const value = shortText(name, text);
      if (value === undefined) lookup.report.skip('Texts of profiles that are too long', `${name} of ${key}`);
      else yield { field_id: index + 1, user_id: user.id, value, html: lookup.renderDescription(value) };
    }
  }
}

function shortText(name: string, text: string): string | undefined {
  try {
    return checkedText({ name, type: SHORT_TEXT.id, data: '' }, text);
  } catch {
    return undefined;
  }
}

function* statusRows(profiles: Iterable<Profile>, lookup: Lookup): Generator<SourceRow> {
  const seen = new Set<number>();
  for (const { user: key, status } of profiles) {
    const user = lookup.user(key);
    if (user === undefined || status === undefined || seen.has(user.id)) continue;
    const whole = status.text.replaceAll(/\p{Cc}/gu, ' ').trim();
    const text = [...whole].slice(0, MAX_STATUS_LENGTH).join('');
    if (text !== whole) lookup.report.skip('Statuses that are too long: they are cut', key);
    const emoji = status.emoji === '' ? undefined : lookup.emoji(status.emoji);
    if (status.emoji !== '' && emoji === undefined)
      lookup.report.skip('Emoji of statuses that do not exist here', status.emoji);
    if (text === '' && emoji === undefined) continue;
    seen.add(user.id);
    yield {
      ...{ user_id: user.id, status_text: text, emoji_kind: emoji?.kind ?? null },
      ...{ emoji_code: emoji?.code ?? '', emoji_name: emoji?.name ?? '' },
    };
  }
}
