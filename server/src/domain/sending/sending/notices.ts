import type { Directory } from '../../../directory/directory.ts';
import type { OptimisticChange } from '../../../directory/organization.ts';
import type { ChannelRecord, SystemBot, UserRecord } from '../../../directory/records.ts';
import { whileUnchanged } from '../../../directory/while-unchanged.ts';
import { type MarkupChannel, type MarkupDirectory, renderMessage } from '../../../markup/index.ts';
import { conversationsWithEach } from '../../messages/conversations/actions.ts';
import { checkedContent } from './checking.ts';
import { markupLookup } from './markup-lookup.ts';
import { channelMessage, directMessage, type Written } from './new-message.ts';
import { sendMessage } from './send-message.ts';

/**
 * Renders notices of the notification bot about a user's action. They commit with that action. An organization without
 * the bot sends none.
 */
export interface NoticeContext {
  /** The user who acted. For this user, the notice starts as read. Its links use only what this user can access. */
  readonly actor: UserRecord;
  /** Returns a notice as HTML. The change does not render again what was rendered before it. */
  readonly render: (content: string) => string;
  /** The same for a notice that names channels which this change creates. */
  readonly renderNaming: (content: string, created: readonly MarkupChannel[]) => string;
}

/** @param organizationUrl the address of the organization, without a slash at the end */
export function noticeContextOf(directory: Directory, actor: UserRecord, organizationUrl: string): NoticeContext {
  const lookup = () => markupLookup(directory, directory.user(actor.id) ?? actor);
  const rendered = (content: string, known: MarkupDirectory) =>
    renderMessage(checkedContent(content), known, { allowWildcardMentions: false, organizationUrl }).html;
  return {
    actor,
    render: whileUnchanged(directory, (content) => rendered(content, lookup())),
    renderNaming(content, created) {
      const known = lookup();
      const byName = new Map(created.map((channel) => [channel.name.toLowerCase(), channel]));
      const channelByName = (name: string) => byName.get(name.toLowerCase()) ?? known.channelByName(name);
      return rendered(content, { ...known, channelByName });
    },
  };
}

/** The same for a user whom this change adds to the organization. Notices can mention this user. */
export function noticeContextOfNewcomer(
  directory: Directory,
  newcomer: UserRecord,
  organizationUrl: string,
): NoticeContext {
  const known = markupLookup(directory, newcomer);
  const lookup = { ...known, userById: (id: number) => (id === newcomer.id ? newcomer : known.userById(id)) };
  const render = (content: string) =>
    renderMessage(checkedContent(content), lookup, { allowWildcardMentions: false, organizationUrl }).html;
  return { actor: newcomer, render, renderNaming: render };
}

export interface ChannelNotice {
  /** Can be a channel that this change creates. */
  readonly channel: ChannelRecord;
  readonly topic: string;
  readonly content: string;
  /** Further users for whom it starts as read. */
  readonly readBy?: readonly number[];
}

/** The client of messages that the server writes. */
const CLIENT = 'Internal';

/** @param isSubscribed as of the end of the change */
export function noticeInChannels(
  change: Pick<OptimisticChange, 'directory' | 'entry'>,
  notices: readonly ChannelNotice[],
  noticeContext: NoticeContext & { readonly isSubscribed: (userId: number, channel: ChannelRecord) => boolean },
): void {
  const writer = noticeWriter(change, noticeContext);
  if (writer === undefined) return;
  for (const { channel, topic, content, readBy = [] } of notices) {
    const message = channelMessage(change.directory, writer(content), {
      channel,
      topic,
      audience: { to: 'subscribers', channelId: channel.id },
      isSubscribed: (userId) => noticeContext.isSubscribed(userId, channel),
      readBy: [noticeContext.actor.id, ...readBy],
    });
    sendMessage(change.entry, message);
  }
}

/**
 * Sends direct messages to users, including a user whom this change adds. Needs two more statements, whatever their
 * number.
 * @returns whether they are sent: an organization may lack the bot
 */
export async function noticeDirectly(
  change: OptimisticChange,
  notices: readonly DirectNotice[],
  noticeContext: NoticeContext,
  by: SystemBot = 'notification',
): Promise<boolean> {
  const { db, directory, entry } = change;
  const bot = directory.systemBot(by);
  const writer = noticeWriter(change, noticeContext, by);
  if (bot === undefined || writer === undefined) return false;
  if (notices.length === 0) return true;
  const userIds = [...new Set(notices.map(({ user }) => user.id))];
  const conversations = await conversationsWithEach(db, directory.organization.id, bot.id, userIds);
  for (const { user, content, numbered } of notices) {
    const conversation = conversations.get(user.id);
    if (conversation === undefined) throw new Error('a conversation that was just made is not there');
    const participants = [bot, user].sort((a, b) => a.id - b.id);
    const message = directMessage(directory, writer(content), { conversation, participants });
    sendMessage(entry, message, numbered);
  }
  return true;
}

export interface DirectNotice {
  readonly user: UserRecord;
  readonly content: string;
  /** Called with the message's id after the commit. */
  readonly numbered?: (messageId: number) => void;
}

/** Undefined if there is no bot. */
function noticeWriter(
  { directory }: Pick<OptimisticChange, 'directory'>,
  { render }: NoticeContext,
  by: SystemBot = 'notification',
): ((content: string) => Written) | undefined {
  const bot = directory.systemBot(by);
  if (bot === undefined) return undefined;
  const common = {
    sender: bot,
    now: Date.now(),
    client: CLIENT,
    readBySender: false,
    echo: null,
    isMeMessage: false,
    // Notices name users without mentioning them.
    mentioned: [],
    mentionsChannel: false,
    topicMentioned: [],
  };
  return (text) => ({ ...common, content: checkedContent(text), renderedContent: render(text) });
}

/** Removes characters with a meaning in markup from a name in a notice. */
export function withoutMarkup(name: string): string {
  return name.replaceAll(/[*_`~[\]\\<>@#$|]+/g, ' ').trim();
}

/** A link to the channel. If the name contains characters that would end the link, it is only bold. */
export function channelLink(name: string): string {
  return /[`*>[\]\\]|\$\$/.test(name) ? `**${withoutMarkup(name)}**` : `#**${name}**`;
}

/** A mention that notifies no user. */
export function silentMention({ id, fullName }: Pick<UserRecord, 'id' | 'fullName'>): string {
  return `@_**${fullName}|${id}**`;
}
