/** The text of a mail about missed messages. */
import { createHmac } from 'node:crypto';
import { organizationSetting } from '../../access/organization-settings.ts';
import { canAccessId } from '../../access/people.ts';
import type { DbTransaction } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import { replyAddress } from '../../domain/notifications/mail-parts/gateway-addresses.ts';
import { messageBlock } from '../../domain/notifications/mail-parts/message-block.ts';
import { someNames, topicName, unknownUser } from '../../domain/notifications/mail-parts/names.ts';
import { titleWithOrganization } from '../../domain/notifications/mail-parts/organization-name.ts';
import { STOP_LABELS, stopLink } from '../../domain/notifications/mail-parts/stop-link.ts';
import { unsubscribeUrl } from '../../domain/notifications/mail-parts/unsubscribing.ts';
import { settingsOf } from '../../domain/notifications/notifications/candidates.ts';
import type { Settings } from '../../domain/users/user-settings/first-settings.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { type Language, languageFor } from '../../languages/language.ts';
import { type Mailing, mailing } from '../../mail/kind.ts';
import type { Mail, MailBlock } from '../../mail/mail.ts';
import { directMessagePath, messagePath } from '../../markup/index.ts';
import { html } from '../../pages/html.ts';
import { missedMail } from './mail-kind.ts';
import { type MissedMessage, stillMissed } from './messages.ts';

/** Characters of HTML in a mail. Further messages are only counted. The first message is always shown. */
const MAX_CONTENT_LENGTH = 100_000;
/** People who are named in a title. */
const MAX_NAMES = 5;

type MailContext = Pick<AppContext, 'organizations' | 'address' | 'secret' | 'config'>;

/** The mail's reader, and what they may and want to see. */
interface Reading {
  readonly directory: Directory;
  readonly reader: UserRecord;
  readonly settings: Settings;
  readonly organizationUrl: string;
  readonly language: Language;
}

export function missedMailing(app: MailContext): Mailing {
  return mailing(missedMail, async ({ organizationId, about: { userId, messages: noted, leftOut } }) => {
    const organization = await app.organizations.byId(organizationId);
    const user = organization?.directory.user(userId);
    if (organization === undefined || user?.isActive !== true) return undefined;
    return organization.read(user, async ({ db, directory, caller }) => {
      const settings = (await settingsOf(db, organizationId, [userId])).get(userId);
      if (settings === undefined) return undefined;
      const messages = await stillMissed({ db, directory, caller }, settings, noted);
      const organizationUrl = app.address.of(directory.organization.subdomain);
      const language = languageFor([settings.default_language]);
      const reading = { directory, reader: caller, settings, organizationUrl, language };
      return composeMail(app, db, reading, messages, leftOut);
    });
  });
}

async function composeMail(
  app: MailContext,
  db: DbTransaction,
  reading: Reading,
  messages: readonly MissedMessage[],
  leftOut: number,
): Promise<Mail | undefined> {
  const { directory, reader, settings, organizationUrl, language } = reading;
  const { t } = language;
  const [first] = messages;
  if (first === undefined) return undefined;
  const isShown =
    settings.message_content_in_email_notifications &&
    organizationSetting(directory, 'message_content_allowed_in_email_notifications');
  const shown = isShown ? withinLength(messages) : [];
  const more = messages.length - shown.length + leftOut;
  const unsubscribe = unsubscribeUrl(app, directory, reader.id, 'missed_messages');
  const title = isShown ? placeName(reading, first) : t('New messages');
  const host = new URL(organizationUrl).hostname;
  // A reply goes to the place of the newest message.
  const replyTo = replyAddress(app, directory, reader.id, (messages.at(-1) ?? first).id);
  return {
    language,
    to: reader.deliveryEmail,
    title: await titleWithOrganization(db, directory, reader, settings, title),
    paragraphs: isShown
      ? [...blocksOf(reading, shown), ...(more > 0 ? [moreText(reading, more)] : [])]
      : [hiddenText(reading, more)],
    link: { label: t('Open the conversation'), url: `${organizationUrl}${pathOf(reading, first, isShown)}` },
    afterwards: [
      replyTo === undefined
        ? t('Replies to this mail are not read.')
        : t('You can reply to this mail. Your reply becomes a message in the conversation.'),
      reasonOf(reading, first, isShown),
      stopLink(t(STOP_LABELS.missed_messages), unsubscribe),
    ],
    ...(replyTo !== undefined && { replyTo }),
    thread: threadOf(app.secret, directory, first),
    unsubscribe,
    listId: `missed-messages.${host}`,
  };
}

/** Messages while they fit, at least one. */
function withinLength(messages: readonly MissedMessage[]): readonly MissedMessage[] {
  let length = 0;
  const end = messages.findIndex(({ renderedContent }) => {
    length += renderedContent.length;
    return length > MAX_CONTENT_LENGTH;
  });
  return end < 0 ? messages : messages.slice(0, Math.max(end, 1));
}

/** The messages, with their senders, and with their place where it changes: messages can be moved. */
function blocksOf(reading: Reading, messages: readonly MissedMessage[]): readonly MailBlock[] {
  let place: string | undefined;
  let sender: number | undefined;
  return messages.flatMap((message) => {
    const blocks: MailBlock[] = [];
    const now = placeName(reading, message);
    if (now !== place) {
      blocks.push({ text: now, html: html`<h1 style="font-size: 18px; margin: 16px 0 8px">${now}</h1>` });
      sender = undefined;
    }
    if (message.senderId !== sender) blocks.push(senderBlock(reading, message));
    [place, sender] = [now, message.senderId];
    return [...blocks, messageBlock(message.renderedContent, reading.organizationUrl, reading.language)];
  });
}

function senderBlock(reading: Reading, { senderId, sentAt }: MissedMessage): MailBlock {
  const [name, time] = [nameOf(reading, senderId), timeFor(reading, sentAt)];
  const style = 'margin: 16px 0 4px';
  return {
    text: `${name} (${time}):`,
    html: html`<p style="${style}"><strong>${name}</strong> <span style="color: #555555">${time}</span></p>`,
  };
}

function nameOf({ directory, reader, language }: Reading, userId: number): string {
  const isKnown = canAccessId(directory, reader, userId);
  const name = isKnown ? directory.correspondent(userId)?.fullName : undefined;
  return name ?? unknownUser(language);
}

/** In the reader's time zone, or UTC if it is unknown. */
function timeFor({ reader: { timezone }, settings, language }: Reading, at: Date): string {
  const timeZone = timezone === '' ? 'UTC' : timezone;
  const hour12 = !settings.twenty_four_hour_time;
  return language.date(at, {
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
    hour12,
    timeZone,
    timeZoneName: 'short',
  });
}

function placeName(reading: Reading, { channelId, topic, participants, senderId }: MissedMessage): string {
  const { language } = reading;
  const { t } = language;
  if (channelId !== null) return `#${channelName(reading, channelId)} > ${topicName(language, topic)}`;
  const others = participants.filter((id) => id !== reading.reader.id);
  if (others.length <= 1) return t('Direct messages with {name}', { name: nameOf(reading, others[0] ?? senderId) });
  const names = others.slice(0, MAX_NAMES).map((id) => nameOf(reading, id));
  const rest = others.length - names.length;
  return t('Group direct messages with {names}', { names: someNames(language, names, rest) });
}

function channelName({ directory }: Reading, channelId: number): string {
  return directory.channel(channelId)?.name ?? '';
}

/** @param isShown false: the link must not contain the names of channel and topic */
function pathOf(reading: Reading, { id, channelId, topic, participants }: MissedMessage, isShown: boolean): string {
  if (channelId === null) return directMessagePath(participants, id);
  if (!isShown) return `/#narrow/channel/${channelId}/near/${id}`;
  return messagePath({ id: channelId, name: channelName(reading, channelId) }, topic, `${id}`);
}

function moreText({ language: { t } }: Reading, count: number): string {
  return t('{count, plural, one {There is # more new message.} other {There are # more new messages.}}', { count });
}

function hiddenText({ directory, settings, organizationUrl, language: { t } }: Reading, count: number): string {
  const { name } = directory.organization;
  const number = t(
    '{count, plural, one {You have a new message in {name} at {url}.} other {You have # new messages in {name} at {url}.}}',
    { count, name, url: organizationUrl },
  );
  const reason = settings.message_content_in_email_notifications
    ? t('This mail does not show message content, because the organization does not allow it.')
    : t('This mail does not show message content, because you disabled it in your settings.');
  return `${number} ${reason}`;
}

function reasonOf(reading: Reading, message: MissedMessage, isShown: boolean): string {
  const { cause, groupId, channelId } = message;
  const { t } = reading.language;
  const group = groupId === null ? undefined : reading.directory.groups.all.get(groupId);
  const channel = isShown && channelId !== null ? `#${channelName(reading, channelId)}` : undefined;
  switch (cause) {
    case 'direct':
      return t('You receive this mail because you got a direct message and have not read it.');
    case 'mentioned':
      return group !== undefined && isShown
        ? t('You receive this mail because the group @{group} was mentioned.', { group: group.name })
        : t('You receive this mail because you were mentioned.');
    case 'everyone':
      return channel === undefined
        ? t('You receive this mail because everyone in the channel or in the topic was mentioned.')
        : t('You receive this mail because everyone in {channel} or in the topic was mentioned.', { channel });
    case 'followed':
      return t('You receive this mail because you follow the topic.');
    default:
      return channel === undefined
        ? t('You receive this mail because you enabled mails about the channel.')
        : t('You receive this mail because you enabled mails about {channel}.', { channel });
  }
}

/** The same for all mails about a conversation, and different on each server. */
function threadOf(secret: Buffer, { organization }: Directory, message: MissedMessage): string {
  const { channelId, conversationId, topic } = message;
  const place = channelId === null ? `direct ${conversationId}` : `channel ${channelId} ${topic.toLowerCase()}`;
  const digest = createHmac('sha256', secret).update(`heddle: mail thread\n${organization.id} ${place}`).digest('hex');
  return `conversation.${digest.slice(0, 32)}`;
}
