import { sql } from 'kysely';
import { activeOnly, presentGroupSetting } from '../../access/group-settings.ts';
import type { NewRow } from '../../db/schema.ts';
import { PLAIN_CHANNEL_FIELDS, plainSettings } from '../../directory/channel-settings.ts';
import type { Directory } from '../../directory/directory.ts';
import type { Change } from '../../directory/organization.ts';
import {
  CHANNEL_GROUP_SETTINGS,
  type ChannelRecord,
  channelAccess,
  isSameAccess,
  isSameSetting,
} from '../../directory/records.ts';
import { channelDelta } from '../../directory/state-deltas.ts';
import { kindOf } from '../../directory/visibility.ts';
import type { Audience, NewEvent } from '../../log/event.ts';
import { forgetChannels, revealChannels } from './access-events.ts';
import { defaultsEvent } from './defaults.ts';
import { type ChannelEvent, type ChannelUpdate, postPolicyOf } from './present.ts';

type ChannelViewers = Extract<Audience, { readonly to: 'channel-viewers' }>;

/**
 * Changes settings of a channel. Sends events to users with metadata access, and to users who gain or lose it.
 * Subscriptions stay. The caller checks permissions. Archiving is not done here (`channel-management/channel-management/archiving.ts`).
 * @param after the same channel with its new settings
 */
export async function amendChannel(change: Change, before: ChannelRecord, after: ChannelRecord): Promise<void> {
  const { directory, append } = change;
  const now: ChannelViewers = { to: 'channel-viewers', channelId: before.id };
  const changesAccess = !isSameAccess(before, after);
  const [first, ...others] = eventsOf(directory, before, after, changesAccess ? inBoth(before, now) : now);
  if (first === undefined) return;
  await writeChannel(change, after);
  if (changesAccess) {
    // Both events come before the state delta, because until then audiences resolve to users with the previous access.
    const then = whoWould(after, now);
    forgetChannels(change, [before], { to: 'any', of: [now], except: then });
    revealChannels(change, [after], { to: 'any', of: [then], except: now });
  }
  append({ ...first, deltas: [channelDelta(after, before)] });
  for (const event of others) append(event);
}

/** Users who would have metadata access if the channel had the access settings of this record. */
function whoWould(channel: ChannelRecord, now: ChannelViewers): Audience {
  return { ...now, as: kindOf(channel), letting: channelAccess(channel).groupSettings };
}

/**
 * After the state delta: users who have metadata access now and had it before. Users who just gained it already got the
 * new channel.
 */
function inBoth(before: ChannelRecord, now: ChannelViewers): Audience {
  return { to: 'any', of: [now], except: { to: 'any', of: [now], except: whoWould(before, now) } };
}

/** Writes all columns of a channel that can change. */
export async function writeChannel({ db, directory }: Change, channel: ChannelRecord): Promise<void> {
  const row = {
    name: channel.name,
    description: channel.description,
    rendered_description: channel.renderedDescription,
    is_private: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    history_public_to_subscribers: channel.historyPublicToSubscribers,
    is_archived: channel.isArchived,
    is_default: channel.isDefault,
    ...plainSettings(channel),
    group_settings: channel.groupSettings,
  } satisfies Partial<NewRow<'channels'>>;
  // Retention waits after a new policy before it deletes messages (features/retention).
  const retention_changed_at = sql<Date>`
    CASE WHEN message_retention_days IS DISTINCT FROM ${channel.messageRetentionDays}::integer THEN now()
         ELSE retention_changed_at END`;
  await db
    .updateTable('channels')
    .set({ ...row, retention_changed_at })
    .where('organization_id', '=', directory.organization.id)
    .where('id', '=', channel.id)
    .execute();
}

/** Returns one event per changed setting, because clients know no other form. */
function eventsOf(directory: Directory, before: ChannelRecord, after: ChannelRecord, audience: Audience): NewEvent[] {
  const { id: channelId, isArchived } = after;
  const visibility: ChannelEvent = {
    op: 'visibility',
    channelId,
    name: before.name,
    isArchived,
    isPrivate: after.isPrivate,
    isWebPublic: after.isWebPublic,
    historyPublicToSubscribers: after.historyPublicToSubscribers,
  };
  const bodies: ChannelEvent[] = [
    ...(isSameVisibility(before, after) ? [] : [visibility]),
    ...updatesOf(directory, before, after).map((update) => {
      return { op: 'update', channelId, name: before.name, isArchived, ...update } as const;
    }),
  ];
  const events: NewEvent[] = bodies.map((body) => ({ type: 'stream', audience, body }));
  if (before.isDefault !== after.isDefault) events.push(defaultsEvent(directory, [after]));
  return events;
}

function isSameVisibility(a: ChannelRecord, b: ChannelRecord): boolean {
  return (
    a.isPrivate === b.isPrivate &&
    a.isWebPublic === b.isWebPublic &&
    a.historyPublicToSubscribers === b.historyPublicToSubscribers
  );
}

function updatesOf(directory: Directory, before: ChannelRecord, after: ChannelRecord): ChannelUpdate[] {
  const updates: ChannelUpdate[] = [];
  if (before.description !== after.description) {
    const { description: value, renderedDescription } = after;
    updates.push({ property: 'description', value, renderedDescription });
  }
  for (const { name, field } of PLAIN_CHANNEL_FIELDS) {
    if (before[field] !== after[field]) updates.push({ property: name, value: after[field] });
  }
  for (const key of CHANNEL_GROUP_SETTINGS) {
    const setting = after.groupSettings[key];
    if (isSameSetting(before.groupSettings[key], setting)) continue;
    updates.push({ property: `${key}_group`, value: presentGroupSetting(activeOnly(directory, setting)) });
  }
  const policy = postPolicyOf(directory, after);
  if (policy !== postPolicyOf(directory, before)) {
    updates.push({ property: 'stream_post_policy', value: policy });
    updates.push({ property: 'is_announcement_only', value: policy === 2 });
  }
  // The name comes last, because clients know the channel by its old name until then.
  if (before.name !== after.name) updates.push({ property: 'name', value: after.name });
  return updates;
}
