import { badRequest } from '@heddle/api/errors.ts';
import { CHANNEL_SETTINGS, organizationSetting, wireNameOf } from '../../../access/organization-settings.ts';
import type { Change } from '../../../directory/organization.ts';
import type { ChannelRecord } from '../../../directory/records.ts';
import { channelDelta, organizationDelta } from '../../../directory/state-deltas.ts';
import type { Audience } from '../../../log/event.ts';
import { writeChannel } from '../../channels/amending.ts';
import { defaultsEvent } from '../../channels/defaults.ts';
import type { ChannelEvent } from '../../channels/present.ts';
import { viewChannel } from '../../channels/queries.ts';
import type { OrganizationEvent } from '../../organizations/organizations/present.ts';
import { archivedText, unarchivedText } from '../../sending/channel-notices/notice-texts.ts';
import { noticeChanges } from '../../sending/channel-notices/notices.ts';
import type { NoticeContext } from '../../sending/sending/notices.ts';
import { announceBack } from '../subscriptions/actions.ts';

/**
 * Archives a channel. Subscriptions and messages stay, but users cannot post. It is not a default channel any more, and
 * settings of the organization stop naming it. The caller checks permissions.
 * @throws ApiError `BAD_REQUEST`: it is already archived
 */
export async function archiveChannel(
  change: Change,
  channel: ChannelRecord,
  noticeContext: NoticeContext,
): Promise<void> {
  const { directory, append } = change;
  if (channel.isArchived) throw badRequest('Channel is already deactivated');
  const archived: ChannelRecord = { ...channel, isArchived: true, isDefault: false };
  await writeChannel(change, archived);
  await nameNoMore(change, channel);
  if (channel.isDefault) append(defaultsEvent(directory, [archived]));
  const audience: Audience = { to: 'channel-viewers', channelId: channel.id };
  const body: ChannelEvent = { op: 'archive', channelId: channel.id, name: channel.name };
  append({ type: 'stream', audience, body, deltas: [channelDelta(archived, channel)] });
  noticeChanges(change, archived, [archivedText(archived)], noticeContext);
}

/**
 * Opens an archived channel again, with its subscriptions and messages.
 * @throws ApiError `BAD_REQUEST`: it is not archived, or it is private without subscribers
 */
export async function unarchiveChannel(
  change: Change,
  channel: ChannelRecord,
  noticeContext: NoticeContext,
): Promise<void> {
  const { directory, append } = change;
  if (!channel.isArchived) throw badRequest('Channel is not currently deactivated');
  if (channel.isPrivate && directory.subscriptions.of(channel.id).size === 0) {
    throw badRequest('Channel is private and have no subscribers');
  }
  const open: ChannelRecord = { ...channel, isArchived: false };
  await writeChannel(change, open);
  const view = viewChannel(directory, open);
  const audience: Audience = { to: 'channel-viewers', channelId: channel.id };
  // The channel is new for clients without the capability. They count subscribers from the events that follow.
  const body: ChannelEvent = { op: 'unarchive', view: { ...view, subscriberCount: 0 } };
  append({ type: 'stream', audience, body, deltas: [channelDelta(open, channel)] });
  await announceBack(change, view);
  noticeChanges(change, open, [unarchivedText(open)], noticeContext);
}

/** Clears the settings of the organization that name the channel. */
async function nameNoMore({ db, directory, append }: Change, { id }: ChannelRecord): Promise<void> {
  const names = CHANNEL_SETTINGS.filter((name) => organizationSetting(directory, name) === id);
  if (names.length === 0) return;
  const before = directory.organization;
  const settings = { ...before.settings, ...Object.fromEntries(names.map((name) => [name, -1])) };
  await db.updateTable('organizations').set({ settings }).where('id', '=', before.id).execute();
  const body: OrganizationEvent = {
    op: 'update',
    settings: Object.fromEntries(names.map((name) => [wireNameOf(name), -1])),
  };
  const deltas = [organizationDelta({ ...before, settings }, before)];
  append({ type: 'realm', audience: { to: 'everyone' }, body, deltas });
}
