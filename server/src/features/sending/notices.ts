import type { Directory } from '../../directory/directory.ts';
import type { OrdinaryChange } from '../../directory/organization.ts';
import type { ChannelRecord, SystemBot, UserRecord } from '../../directory/records.ts';
import { whileUnchanged } from '../../directory/while-unchanged.ts';
import { type MarkupChannel, type MarkupDirectory, renderMessage } from '../../markup/index.ts';
import { conversationsWithEach } from '../conversations/actions.ts';
import type { MessageBody } from '../messages/present.ts';
import { avatarOf } from '../users/queries.ts';
import { markupLookup } from './markup-lookup.ts';
import { newMessage } from './new-message.ts';
import { checkedContent } from './prepare.ts';
import { wishesAbout } from './wishes.ts';

/**
 * What the notification bot says of something that a user has done: in the commit that does it, in one statement with all of that.
 * Messages of an organization without the bot are not sent.
 */
export interface Noticing {
  /** Who has done it: for them it is read, and links lead only to what they know. */
  readonly actor: UserRecord;
  /** A notice as HTML. What was rendered before the change is not rendered again in it. */
  readonly render: (content: string) => string;
  /** The same of a notice that names channels which this very change creates. */
  readonly renderNaming: (content: string, created: readonly MarkupChannel[]) => string;
}

/** @param organizationUrl where the organization lives, without a slash at the end */
export function noticingOf(directory: Directory, actor: UserRecord, organizationUrl: string): Noticing {
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

/** The same of what somebody has done who comes to the organization with this very change: what is said may name them. */
export function noticingOfNewcomer(directory: Directory, newcomer: UserRecord, organizationUrl: string): Noticing {
  const known = markupLookup(directory, newcomer);
  const lookup = { ...known, userById: (id: number) => (id === newcomer.id ? newcomer : known.userById(id)) };
  const render = (content: string) =>
    renderMessage(checkedContent(content), lookup, { allowWildcardMentions: false, organizationUrl }).html;
  return { actor: newcomer, render, renderNaming: render };
}

export interface ChannelNotice {
  /** Also one that this very change creates. */
  readonly channel: ChannelRecord;
  readonly topic: string;
  readonly content: string;
  /** For whom it begins as read besides who has done it. */
  readonly readBy?: readonly number[];
}

/** What messages that the server sends by itself are sent with. */
const CLIENT = 'Internal';

/** @param isSubscribed as of the end of the change */
export function noticeInChannels(
  change: Pick<OrdinaryChange, 'directory' | 'send'>,
  notices: readonly ChannelNotice[],
  noticing: Noticing & { readonly isSubscribed: (userId: number, channel: ChannelRecord) => boolean },
): void {
  const writer = noticeWriter(change, noticing);
  if (writer === undefined) return;
  for (const { channel, topic, content, readBy = [] } of notices) {
    const written = writer(content);
    const isMember = (userId: number) => noticing.isSubscribed(userId, channel);
    const wishes = wishesAbout(change.directory, written.sender.id, content, isMember);
    const body = {
      ...written,
      ...wishes,
      recipientId: channel.recipientId,
      channel: { id: channel.id, name: channel.name },
      participants: [],
      topic,
      readBy: [...new Set([noticing.actor.id, ...readBy, ...(wishes.readBy ?? [])])],
    };
    const message = newMessage(body, {
      channel,
      conversationId: null,
      audience: { to: 'subscribers', channelId: channel.id },
      isMember,
    });
    change.send(message);
  }
}

/**
 * Direct messages to users of the organization, also to one who comes with this very change. Two statements more, however many.
 * @returns whether they are sent: an organization may lack the bot
 */
export async function noticeDirectly(
  change: OrdinaryChange,
  notices: readonly DirectNotice[],
  noticing: Noticing,
  by: SystemBot = 'notification',
): Promise<boolean> {
  const { db, directory, send } = change;
  const bot = directory.systemBot(by);
  const writer = noticeWriter(change, noticing, by);
  if (bot === undefined || writer === undefined) return false;
  if (notices.length === 0) return true;
  const userIds = [...new Set(notices.map(({ user }) => user.id))];
  const conversations = await conversationsWithEach(db, directory.organization.id, bot.id, userIds);
  for (const { user, content, numbered } of notices) {
    const conversation = conversations.get(user.id);
    if (conversation === undefined) throw new Error('a conversation that was just made is not there');
    const participants = [bot, user].sort((a, b) => a.id - b.id);
    const body = {
      ...writer(content),
      ...wishesAbout(directory, bot.id, content, conversation.participants),
      recipientId: conversation.recipientId,
      channel: null,
      participants: participants.map(({ id, email, fullName }) => ({ id, email, fullName })),
      topic: '',
    };
    const message = newMessage(body, {
      channel: null,
      conversationId: conversation.id,
      audience: { to: 'users', users: conversation.participants },
      isMember: () => true,
    });
    send(message, numbered);
  }
  return true;
}

export interface DirectNotice {
  readonly user: UserRecord;
  readonly content: string;
  /** Is told the message's id after the commit. */
  readonly numbered?: (messageId: number) => void;
}

type Written = Omit<MessageBody, 'recipientId' | 'channel' | 'participants' | 'topic' | 'readBy'>;

/** Undefined: there is no bot. */
function noticeWriter(
  { directory }: Pick<OrdinaryChange, 'directory'>,
  { render }: Noticing,
  by: SystemBot = 'notification',
): ((content: string) => Written) | undefined {
  const bot = directory.systemBot(by);
  if (bot === undefined) return undefined;
  const common = {
    sender: { id: bot.id, email: bot.email, fullName: bot.fullName, avatar: avatarOf(directory, bot) },
    subdomain: directory.organization.subdomain,
    sentAt: Math.floor(Date.now() / 1000),
    client: CLIENT,
    readBySender: false,
    echo: null,
    isMeMessage: false,
    // Notices name people without calling them.
    mentioned: [],
    mentionsChannel: false,
    topicMentioned: [],
  };
  return (text) => ({ ...common, content: checkedContent(text), renderedContent: render(text) });
}

/** A name without what could be markup in what the bot says. */
export function calm(name: string): string {
  return name.replaceAll(/[*_`~[\]\\<>@#$|]+/g, ' ').trim();
}

/** A link to the channel; one whose name would end the link's own markup is only named. */
export function channelLink(name: string): string {
  return /[`*>[\]\\]|\$\$/.test(name) ? `**${calm(name)}**` : `#**${name}**`;
}

/** A mention that tells nobody. */
export function silentMention({ id, fullName }: Pick<UserRecord, 'id' | 'fullName'>): string {
  return `@_**${fullName}|${id}**`;
}
