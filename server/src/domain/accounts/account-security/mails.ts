/** The texts of the mails about a user's own account. */
import type { Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { type Language, languageFor } from '../../../languages/language.ts';
import { type Mailing, type MailRequest, mailing } from '../../../mail/kind.ts';
import { deviceIn } from '../../credentials/device.ts';
import { passwordOf } from '../../credentials/queries.ts';
import { STOP_LABELS, stopLink } from '../../notifications/mail-parts/stop-link.ts';
import { unsubscribeUrl } from '../../notifications/mail-parts/unsubscribing.ts';
import { linkKey } from '../../texts/shared/link-keys.ts';
import { findOpenLink } from '../../texts/shared/mailed-links.ts';
import { languageOfUser } from '../../users/user-settings/language.ts';
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
    const { user, language, name, url, path } = found;
    const { t } = language;
    return {
      language,
      to: user.deliveryEmail,
      title: t('Set a new password for {name}', { name }),
      paragraphs: [
        t('Hello {fullName},', { fullName: user.fullName }),
        t('We received a request to set a new password for your account in {name} at {url}.', { name, url }),
      ],
      link: { label: t('Set a new password'), url: url + path },
      afterwards: [
        t('The link works once, within one day. Do not share it.'),
        t('If you did not request this, ignore this mail. Your password does not change.'),
      ],
    };
  });
}

/** The user has not requested this mail, so it explains itself. It also helps after the link has expired. */
function firstPasswordMailing(app: AppContext): Mailing {
  return mailing(kinds.firstPasswordMail, async (about) => {
    const found = await passwordLink(app, about);
    if (found === undefined) return undefined;
    const { user, language, name, url, path } = found;
    const { t } = language;
    return {
      language,
      to: user.deliveryEmail,
      title: t('{name} has moved: set your password', { name }),
      paragraphs: [
        t('Hello {fullName},', { fullName: user.fullName }),
        t('{name} now chats at {url}. Your account is there already, with your channels and their messages.', {
          name,
          url,
        }),
        t('You log in with this address and a new password.'),
      ],
      link: { label: t('Set your password'), url: url + path },
      afterwards: [
        t(
          'The link works once, within one day. Later, choose "Forgot your password?" at {url}. Do not share the link.',
          { url: `${url}/login/` },
        ),
        t('The operator of the server has sent this mail to all members who were moved.'),
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
  const language = await languageOfUser(db, organizationId, user.id);
  return { user, language, ...placeOf(app, organization), path: `/accounts/password/reset/${key}/` };
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
    const language = await languageOfUser(db, organizationId, user.id);
    const { t } = language;
    return {
      language,
      to: link.address,
      title: t('Confirm your new address for {name}', { name }),
      paragraphs: [
        t('Hello,'),
        t('We received a request to change the address of the account {address} in {name} at {url} to this address.', {
          address: user.deliveryEmail,
          name,
          url,
        }),
      ],
      link: { label: t('Confirm the address'), url: `${url}/accounts/confirm_new_email/${key}` },
      afterwards: [
        t('The link works for one day.'),
        t('If you did not request this, ignore this mail. The address does not change.'),
      ],
    };
  });
}

function addressChangedMailing(app: AppContext): Mailing {
  return mailing(kinds.addressChangedMail, async ({ organizationId, about: { to, address, language: asked } }) => {
    const organization = await app.organizations.byId(organizationId);
    if (organization === undefined) return undefined;
    const { name, url } = placeOf(app, organization);
    const language = languageFor([asked]);
    const { t } = language;
    return {
      language,
      to,
      title: t('Your address for {name} has changed', { name }),
      paragraphs: [
        t('Hello,'),
        t('The address of your account in {name} at {url} is now {address}. Use it to log in.', { name, url, address }),
        t('If you did not change it, contact an administrator of the organization immediately.'),
      ],
    };
  });
}

function newLoginMailing(app: AppContext): Mailing {
  return mailing(kinds.newLoginMail, async ({ db, organizationId, about }) => {
    const { userId, browser, system, remoteAddress, at } = about;
    const organization = await app.organizations.byId(organizationId);
    const user = organization?.directory.user(userId);
    if (organization === undefined || !user?.isActive) return undefined;
    const { name, url } = placeOf(app, organization);
    const unsubscribe = unsubscribeUrl(app, organization.directory, userId, 'login');
    const language = await languageOfUser(db, organizationId, userId);
    const { t } = language;
    // A mail of an older version names only a text.
    const isOld = browser === undefined || system === undefined;
    const device = isOld ? about.device : deviceIn(language, { browser, system });
    return {
      language,
      to: user.deliveryEmail,
      title: t('New login to {name}', { name }),
      paragraphs: [
        t('Hello {fullName},', { fullName: user.fullName }),
        t('There was a new login to your account {address} in {name} at {url}:', {
          address: user.deliveryEmail,
          name,
          url,
        }),
        t('When: {time}', { time: timeFor(language, user, new Date(at)) }),
        t('With: {device}', { device }),
        t('From: {remoteAddress}', { remoteAddress }),
        t('If it was you, ignore this mail.'),
        t('If it was not you, set a new password at {url} and get a new API key in the settings.', {
          url: `${url}/accounts/password/reset/`,
        }),
      ],
      afterwards: [stopLink(t(STOP_LABELS.login), unsubscribe)],
      unsubscribe,
      listId: `logins.${new URL(url).hostname}`,
    };
  });
}

function accountClosedMailing(app: AppContext): Mailing {
  return mailing(kinds.accountClosedMail, async ({ db, organizationId, about: { userId, comment } }) => {
    const organization = await app.organizations.byId(organizationId);
    const user = organization?.directory.user(userId);
    // An account that is active again needs no mail.
    if (organization === undefined || user === undefined || user.isActive) return undefined;
    const { name, url } = placeOf(app, organization);
    const language = await languageOfUser(db, organizationId, userId);
    const { t } = language;
    return {
      language,
      to: user.deliveryEmail,
      title: t('Your account in {name} is deactivated', { name }),
      paragraphs: [
        t('Hello {fullName},', { fullName: user.fullName }),
        t('Your account in {name} at {url} has been deactivated. You can no longer log in.', { name, url }),
        ...(comment === '' ? [] : [t('The administrators added this comment:'), comment]),
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
function timeFor(language: Language, { timezone }: UserRecord, at: Date): string {
  const timeZone = timezone === '' ? 'UTC' : timezone;
  return language.date(at, { dateStyle: 'full', timeStyle: 'long', timeZone });
}
