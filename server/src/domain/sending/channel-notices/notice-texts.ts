/** Texts of the notification bot about changes of a channel (public reference: "Configure automated notices"). */
import type { PlainChannelSetting } from '@heddle/api/channel-settings.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../../access/limits.ts';
import { organizationSetting } from '../../../access/organization-settings.ts';
import { PLAIN_CHANNEL_FIELDS } from '../../../directory/channel-settings.ts';
import type { Directory } from '../../../directory/directory.ts';
import {
  type ChannelRecord,
  type GroupSetting,
  isSameSetting,
  type TopicsPolicy,
  type UserRecord,
} from '../../../directory/records.ts';
import { type ChannelVisibility, type VisibilityFields, visibilityOf } from '../../channels/visibility.ts';
import { channelLink, silentMention, withoutMarkup } from '../sending/notices.ts';

type ChangeText = (before: ChannelRecord, after: ChannelRecord, directory: Directory) => string;

/** What the notice about a plain setting says after the name of who changed it. Other settings have no notice. */
const PLAIN_TEXTS: Readonly<Partial<Record<PlainChannelSetting, ChangeText>>> = {
  message_retention_days(before, after, directory) {
    const [from, to] = [retention(directory, before), retention(directory, after)];
    return `changed how long messages of this channel are kept:${oldAndNew(period(from), period(to))}\n\n${announced(to)}`;
  },
  topics_policy(before, after) {
    const [from, to] = [TOPICS[before.topicsPolicy], TOPICS[after.topicsPolicy]];
    return `changed which topics this channel takes from **${from}** to **${to}**.`;
  },
};

/**
 * Returns one message for each change that users of the channel should know. Folders and other permissions need none,
 * because clients show them where they matter.
 */
export function changedTexts(
  directory: Directory,
  before: ChannelRecord,
  after: ChannelRecord,
  actor: UserRecord,
): readonly string[] {
  const who = silentMention(actor);
  const texts: string[] = [];
  if (visibilityOf(before) !== visibilityOf(after)) {
    const [from, to] = [visibilityName(before), visibilityName(after)];
    texts.push(`${who} changed who can access this channel from **${from}** to **${to}**.`);
  }
  for (const { name, field } of PLAIN_CHANNEL_FIELDS) {
    const text = PLAIN_TEXTS[name];
    if (text !== undefined && before[field] !== after[field]) texts.push(`${who} ${text(before, after, directory)}`);
  }
  if (before.description !== after.description) {
    texts.push(
      `${who} changed the description of this channel.\n\n* **Old description:**\n${quoted(before.description)}\n* **New description:**\n${quoted(after.description)}`,
    );
  }
  const [mayPost, mayPostNow] = [before.groupSettings.can_send_message, after.groupSettings.can_send_message];
  if (!isSameSetting(mayPost, mayPostNow)) {
    texts.push(
      `${who} changed who can post in this channel:${oldAndNew(named(directory, mayPost), named(directory, mayPostNow))}`,
    );
  }
  if (before.name !== after.name) {
    texts.push(
      `${who} renamed this channel from **${withoutMarkup(before.name)}** to **${withoutMarkup(after.name)}**.`,
    );
  }
  return texts;
}

export function archivedText({ name }: ChannelRecord): string {
  return `Channel ${channelLink(name)} has been archived.`;
}

export function unarchivedText({ name }: ChannelRecord): string {
  return `Channel ${channelLink(name)} has been unarchived.`;
}

/** Quotes a description. It is a single line, so it cannot contain the end of the quote. */
export function quoted(description: string): string {
  return `\`\`\`\` quote\n${description === '' ? '*No description.*' : description}\n\`\`\`\``;
}

const VISIBILITIES = {
  'web-public': 'Web-public',
  public: 'Public',
  private: 'Private, shared history',
  protected: 'Private, protected history',
} as const satisfies Readonly<Record<ChannelVisibility, string>>;

export function visibilityName(channel: VisibilityFields): string {
  return VISIBILITIES[visibilityOf(channel)];
}

const TOPICS = {
  inherit: 'Automatic',
  allow_empty_topic: `*${EMPTY_TOPIC_DISPLAY_NAME}* topic allowed`,
  disable_empty_topic: `No *${EMPTY_TOPIC_DISPLAY_NAME}* topic`,
  empty_topic_only: `Only *${EMPTY_TOPIC_DISPLAY_NAME}* topic allowed`,
} as const satisfies Readonly<Record<TopicsPolicy, string>>;

/** In days; -1: forever. */
function retention(directory: Directory, { messageRetentionDays }: ChannelRecord): number {
  return messageRetentionDays ?? organizationSetting(directory, 'message_retention_days');
}

function period(days: number): string {
  if (days === -1) return 'Forever';
  return days === 1 ? '1 day' : `${days} days`;
}

function announced(days: number): string {
  if (days === -1) return 'From now on, messages in this channel are kept forever.';
  return `From now on, messages in this channel are deleted ${period(days)} after they were sent.`;
}

function oldAndNew(before: string, after: string): string {
  return `\n\n* **Old**: ${before}\n* **New**: ${after}`;
}

/** The most users, and the most groups, that a notice names. */
const MAX_NAMED_USERS = 20;

/** The names of the groups and users that have a permission. */
function named(directory: Directory, setting: GroupSetting): string {
  const groupIds = typeof setting === 'number' ? [setting] : setting.directSubgroups;
  const userIds = typeof setting === 'number' ? [] : setting.directMembers;
  const groups = groupIds
    .flatMap((id) => directory.groups.all.get(id)?.name ?? [])
    .map((name) => `@_*${withoutMarkup(name)}*`);
  const users = userIds
    .flatMap((id) => directory.user(id) ?? [])
    .filter((user) => user.isActive)
    .map(silentMention);
  return [...few(groups), ...few(users)].join(', ');
}

function few(names: readonly string[]): readonly string[] {
  if (names.length <= MAX_NAMED_USERS) return names;
  return [...names.slice(0, MAX_NAMED_USERS), `and ${names.length - MAX_NAMED_USERS} more`];
}
