/** The texts of the mails about a user's own account. */
import type { Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { type Mailing, type MailRequest, mailing } from '../../../mail/kind.ts';
import { passwordOf } from '../../credentials/queries.ts';
import { stopLink } from '../../notifications/mail-parts/stop-link.ts';
import { unsubscribeUrl } from '../../notifications/mail-parts/unsubscribing.ts';
import { linkKey } from '../../texts/shared/link-keys.ts';
import { findOpenLink } from '../../texts/shared/mailed-links.ts';
import type { AccountLink } from './links.ts';
import * as kinds from './mail-kinds.ts';

/** All mails about a user's own account. */
export function accountMailings(app: AppContext): readonly Mailing[] {
  return [
    resetMailing,
    firstPasswordMailing,
    confirmAddressMailing,
    addressChangedMailing,
    newLoginMailing,
    accountClosedMailing,
  ].map((make) => make(app));
}

function resetMailing(app: AppContext): Mailing {
  return mailing(kinds.resetMail, async (about) => {
    const found = await passwordLink(app, about);
    if (found === undefined) return undefined;
    const { user, name, url, path } = found;
    return {
      to: user.deliveryEmail,
      title: `Set a new password for ${name}`,
      paragraphs: [
        `Hello ${user.fullName},`,
        `We received a request to set a new password for your account in ${name} at ${url}.`,
      ],
      link: { label: 'Set a new password', url: url + path },
      afterwards: [
        'The link works once, within one day. Do not share it.',
        'If you did not request this, ignore this mail. Your password does not change.',
      ],
    };
  });
}

/** The user has not requested this mail, so it explains itself. It also helps after the link has expired. */
function firstPasswordMailing(app: AppContext): Mailing {
  return mailing(kinds.firstPasswordMail, async (about) => {
    const found = await passwordLink(app, about);
    if (found === undefined) return undefined;
    const { user, name, url, path } = found;
    return {
      to: user.deliveryEmail,
      title: `${name} has moved: set your password`,
      paragraphs: [
        `Hello ${user.fullName},`,
        `${name} now chats at ${url}. Your account is there already, with your channels and their messages.`,
        'You log in with this address and a new password.',
      ],
      link: { label: 'Set your password', url: url + path },
      afterwards: [
        `The link works once, within one day. Later, choose "Forgot your password?" at ${url}/login/. Do not share the link.`,
        'The operator of the server has sent this mail to all members who were moved.',
      ],
    };
  });
}

/** The user, the place and the link of a mail that sets a password; undefined if the link is not valid any more. */
async function passwordLink(
  app: AppContext,
  { db, organizationId, about: { linkId } }: MailRequest<{ linkId: number }>,
) {
  const organization = await app.organizations.byId(organizationId);
  const link = await findOpenLink(db, 'account_links', organizationId, linkId);
  const user = organization && link && userOf(organization, link);
  if (organization === undefined || link === undefined || user === undefined) return undefined;
  // An LDAP directory may manage the password. A second, local password would survive that one.
  const { hash } = await passwordOf({ db }, organizationId, user.deliveryEmail);
  if (hash === null && app.config.ldapUrl !== null) return undefined;
  const key = linkKey(app.secret, 'password reset', link.nonce);
  return { user, ...placeOf(app, organization), path: `/accounts/password/reset/${key}/` };
}

function confirmAddressMailing(app: AppContext): Mailing {
  return mailing(kinds.confirmAddressMail, async ({ db, organizationId, about: { linkId } }) => {
    const organization = await app.organizations.byId(organizationId);
    const link = await findOpenLink(db, 'account_links', organizationId, linkId);
    const user = organization && link && userOf(organization, link);
    if (organization === undefined || link === undefined || user === undefined) return undefined;
    const taken = organization.directory.correspondentByEmail(link.address);
    if (taken !== undefined && taken.id !== user.id) return undefined;
    const { name, url } = placeOf(app, organization);
    const key = linkKey(app.secret, 'change of address', link.nonce);
    return {
      to: link.address,
      title: `Confirm your new address for ${name}`,
      paragraphs: [
        'Hello,',
        `We received a request to change the address of the account ${user.deliveryEmail} in ${name} at ${url} to this address.`,
      ],
      link: { label: 'Confirm the address', url: `${url}/accounts/confirm_new_email/${key}` },
      afterwards: [
        'The link works for one day.',
        'If you did not request this, ignore this mail. The address does not change.',
      ],
    };
  });
}

function addressChangedMailing(app: AppContext): Mailing {
  return mailing(kinds.addressChangedMail, async ({ organizationId, about: { to, address } }) => {
    const organization = await app.organizations.byId(organizationId);
    if (organization === undefined) return undefined;
    const { name, url } = placeOf(app, organization);
    return {
      to,
      title: `Your address for ${name} has changed`,
      paragraphs: [
        'Hello,',
        `The address of your account in ${name} at ${url} is now ${address}. Use it to log in.`,
        'If you did not change it, contact an administrator of the organization immediately.',
      ],
    };
  });
}

function newLoginMailing(app: AppContext): Mailing {
  return mailing(kinds.newLoginMail, async ({ organizationId, about: { userId, device, remoteAddress, at } }) => {
    const organization = await app.organizations.byId(organizationId);
    const user = organization?.directory.user(userId);
    if (organization === undefined || !user?.isActive) return undefined;
    const { name, url } = placeOf(app, organization);
    const unsubscribe = unsubscribeUrl(app, organization.directory, userId, 'login');
    return {
      to: user.deliveryEmail,
      title: `New login to ${name}`,
      paragraphs: [
        `Hello ${user.fullName},`,
        `There was a new login to your account ${user.deliveryEmail} in ${name} at ${url}:`,
        `When: ${timeFor(user, new Date(at))}`,
        `With: ${device}`,
        `From: ${remoteAddress}`,
        'If it was you, ignore this mail.',
        `If it was not you, set a new password at ${url}/accounts/password/reset/ and get a new API key in the settings.`,
      ],
      afterwards: [stopLink('Stop mails about new logins', unsubscribe)],
      unsubscribe,
      listId: `logins.${new URL(url).hostname}`,
    };
  });
}

function accountClosedMailing(app: AppContext): Mailing {
  return mailing(kinds.accountClosedMail, async ({ organizationId, about: { userId, comment } }) => {
    const organization = await app.organizations.byId(organizationId);
    const user = organization?.directory.user(userId);
    // An account that is active again needs no mail.
    if (organization === undefined || user === undefined || user.isActive) return undefined;
    const { name, url } = placeOf(app, organization);
    return {
      to: user.deliveryEmail,
      title: `Your account in ${name} is deactivated`,
      paragraphs: [
        `Hello ${user.fullName},`,
        `Your account in ${name} at ${url} has been deactivated. You can no longer log in.`,
        ...(comment === '' ? [] : ['The administrators added this comment:', comment]),
      ],
    };
  });
}

function placeOf(app: AppContext, { directory: { organization } }: Organization) {
  return { name: organization.name, url: app.address.of(organization.subdomain) };
}

function userOf({ directory }: Organization, { user_id: id }: AccountLink): UserRecord | undefined {
  const user = id === null ? undefined : directory.user(id);
  return user?.isActive ? user : undefined;
}

/** In the reader's time zone, or UTC if it is unknown. */
function timeFor({ timezone }: UserRecord, at: Date): string {
  const timeZone = timezone === '' ? 'UTC' : timezone;
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long', timeZone }).format(at);
}
