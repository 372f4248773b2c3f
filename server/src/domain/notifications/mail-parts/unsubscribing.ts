/**
 * Signed links that stop a kind of mail without a login. They do not expire: a reader may use the link in an old mail.
 * A link can do nothing else.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Directory } from '../../../directory/directory.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { linkKey } from '../../texts/shared/link-keys.ts';
import type { Settings } from '../../users/user-settings/first-settings.ts';

/** The kinds of mails that readers can stop, and the settings that this switches off. */
export const STOPPED_SETTINGS = {
  missed_messages: [
    'enable_offline_email_notifications',
    'enable_stream_email_notifications',
    'enable_followed_topic_email_notifications',
  ],
  digest: ['enable_digest_emails'],
  login: ['enable_login_emails'],
} as const satisfies Readonly<Record<string, readonly (keyof Settings)[]>>;

export type StoppableMail = keyof typeof STOPPED_SETTINGS;

interface Addressee {
  readonly organizationId: number;
  readonly userId: number;
  readonly kind: StoppableMail;
}

export function unsubscribeUrl(
  { address, secret }: Pick<AppContext, 'address' | 'secret'>,
  { organization }: Directory,
  userId: number,
  kind: StoppableMail,
): string {
  const key = keyOf(secret, { organizationId: organization.id, userId, kind });
  return `${address.of(organization.subdomain)}${unsubscribePath(kind, key)}`;
}

export function unsubscribePath(kind: StoppableMail, key: string): string {
  return `/accounts/unsubscribe/${kind}/${key}`;
}

/** The user of the link; undefined if the server did not sign it for this organization, or the account is closed. */
export function userOfUnsubscribeKey(
  secret: Buffer,
  directory: Directory,
  kind: StoppableMail,
  key: string,
): UserRecord | undefined {
  const userId = Number(/^(\d{1,9})-/.exec(key)?.[1] ?? 0);
  const user = directory.user(userId);
  const expected = Buffer.from(keyOf(secret, { organizationId: directory.organization.id, userId, kind }));
  const given = Buffer.from(key);
  const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
  return isSigned && user?.isActive === true ? user : undefined;
}

/** The key of a link, also where a mail program has encoded the link into another one. */
const KEY = /(?<!\d)\d{1,9}-(?:2D)?[a-z2-7]{32}(?![a-z\d])/;

export function hasUnsubscribeKey(text: string): boolean {
  return KEY.test(text);
}

function keyOf(secret: Buffer, { organizationId, userId, kind }: Addressee): string {
  return `${userId}-${linkKey(secret, 'unsubscribing', Buffer.from(`${organizationId} ${userId} ${kind}`))}`;
}
