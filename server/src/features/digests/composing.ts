/** The text of the weekly digest. */
import { organizationSetting } from '../../access/organization-settings.ts';
import { canAccessId } from '../../access/people.ts';
import type { Directory } from '../../directory/directory.ts';
import type { UserRecord } from '../../directory/records.ts';
import { messageBlock } from '../../domain/notifications/mail-parts/message-block.ts';
import { someNames, topicName, unknownUser } from '../../domain/notifications/mail-parts/names.ts';
import { STOP_LABELS, stopLink } from '../../domain/notifications/mail-parts/stop-link.ts';
import { unsubscribeUrl } from '../../domain/notifications/mail-parts/unsubscribing.ts';
import { settingsOf } from '../../domain/notifications/notifications/candidates.ts';
import { truncate } from '../../domain/texts/shared/truncate.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { type Language, languageFor } from '../../languages/language.ts';
import { type Mailing, mailing } from '../../mail/kind.ts';
import type { Mail, MailBlock } from '../../mail/mail.ts';
import { channelPath, messagePath } from '../../markup/index.ts';
import { html } from '../../pages/html.ts';
import { type BusyTopic, type DigestContents, digestContents } from './contents.ts';
import { digestMail } from './queueing.ts';

/** Characters of the first message of a topic. */
const MAX_EXCERPT_LENGTH = 300;
/** Senders who are named for a topic. */
const MAX_NAMES = 3;

interface Reading {
  readonly directory: Directory;
  readonly reader: UserRecord;
  readonly organizationUrl: string;
  readonly language: Language;
}

/** There is no mail if nothing happened, or if the user has switched it off meanwhile. */
export function digestMailing(app: Pick<AppContext, 'organizations' | 'address' | 'secret'>): Mailing {
  return mailing(digestMail, async ({ organizationId, about: { userId } }) => {
    const organization = await app.organizations.byId(organizationId);
    const user = organization?.directory.user(userId);
    if (organization === undefined || user?.isActive !== true) return undefined;
    return organization.read(user, async ({ db, directory, caller }) => {
      const settings = (await settingsOf(db, organizationId, [userId])).get(userId);
      if (settings?.enable_digest_emails !== true || !organizationSetting(directory, 'digest_emails_enabled')) {
        return undefined;
      }
      const contents = await digestContents({ db, directory, caller });
      const reading = {
        directory,
        reader: caller,
        organizationUrl: app.address.of(directory.organization.subdomain),
        language: languageFor([settings.default_language]),
      };
      const isShown =
        settings.message_content_in_email_notifications &&
        organizationSetting(directory, 'message_content_allowed_in_email_notifications');
      return composeDigest(reading, contents, isShown, unsubscribeUrl(app, directory, userId, 'digest'));
    });
  });
}

function composeDigest(
  reading: Reading,
  contents: DigestContents,
  isShown: boolean,
  unsubscribe: string,
): Mail | undefined {
  const { directory, reader, organizationUrl, language } = reading;
  const { t } = language;
  const { topics, directMessages, newChannels } = contents;
  if (topics.length === 0 && directMessages === 0 && newChannels.length === 0) return undefined;
  const { name } = directory.organization;
  return {
    language,
    to: reader.deliveryEmail,
    title: t('This week in {name}', { name }),
    paragraphs: [
      t('Hello {fullName}, this happened in {name} while you were away.', { fullName: reader.fullName, name }),
      ...(directMessages > 0 ? [t('Unread direct messages: {count, number}', { count: directMessages })] : []),
      ...(isShown ? topics.flatMap((topic) => topicBlocks(reading, topic)) : hiddenTopics(reading, topics)),
      ...(isShown ? channelBlocks(reading, contents) : hiddenChannels(reading, contents)),
    ],
    link: { label: t('Open {name}', { name }), url: `${organizationUrl}/` },
    afterwards: [stopLink(t(STOP_LABELS.digest), unsubscribe)],
    unsubscribe,
    listId: `digest.${new URL(organizationUrl).hostname}`,
  };
}

function topicBlocks(reading: Reading, busy: BusyTopic): readonly MailBlock[] {
  const { channel, topic, messages, senderIds, first } = busy;
  const { t } = reading.language;
  const place = `#${channel.name} > ${topicName(reading.language, topic)}`;
  const url = `${reading.organizationUrl}${messagePath(channel, topic, `${first.id}`)}`;
  const names = senderIds.slice(0, MAX_NAMES).map((id) => nameOf(reading, id));
  const rest = senderIds.length - names.length;
  const people = someNames(reading.language, names, rest);
  const count = t('{messages, plural, one {# unread message by {people}} other {# unread messages by {people}}}', {
    messages,
    people,
  });
  const { text } = messageBlock(first.renderedContent, reading.organizationUrl, reading.language);
  const excerpt = truncate(text, MAX_EXCERPT_LENGTH, '…');
  const quote = `${nameOf(reading, first.senderId)}: ${excerpt}`;
  return [
    {
      text: `${place} (${url})\n${count}\n\n${quote}`,
      html: html`<h2 style="font-size: 16px; margin: 16px 0 4px"><a href="${url}">${place}</a></h2>
<p style="margin: 0 0 4px; color: #555555">${count}</p>
<p style="margin: 0 0 8px; white-space: pre-wrap">${quote}</p>`,
    },
  ];
}

function channelBlocks(
  { organizationUrl, language: { t } }: Reading,
  { newChannels }: DigestContents,
): readonly MailBlock[] {
  if (newChannels.length === 0) return [];
  const links = newChannels.map((channel) => ({
    name: `#${channel.name}`,
    url: `${organizationUrl}${channelPath(channel)}`,
  }));
  return [
    {
      text: `${t('New channels:')}\n${links.map(({ name, url }) => `- ${name} (${url})`).join('\n')}`,
      html: html`<h2 style="font-size: 16px; margin: 16px 0 4px">${t('New channels')}</h2>
<ul>${links.map(({ name, url }) => html`<li><a href="${url}">${name}</a></li>`)}</ul>`,
    },
  ];
}

/** Numbers only: no content may be in the mail. */
function hiddenTopics({ language: { t } }: Reading, topics: readonly BusyTopic[]): readonly string[] {
  const count = topics.reduce((sum, { messages }) => sum + messages, 0);
  return count === 0 ? [] : [t('Unread messages in your channels: {count, number}', { count })];
}

function hiddenChannels({ language: { t } }: Reading, { newChannels }: DigestContents): readonly string[] {
  const count = newChannels.length;
  return count === 0 ? [] : [t('New channels: {count, number}', { count })];
}

function nameOf({ directory, reader, language }: Reading, userId: number): string {
  const isKnown = canAccessId(directory, reader, userId);
  const name = isKnown ? directory.correspondent(userId)?.fullName : undefined;
  return name ?? unknownUser(language);
}
