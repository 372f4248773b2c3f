/** The texts of the mails about a user's own account. */
import type { Organization } from '../../directory/organization.ts';
import type { UserRecord } from '../../directory/records.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { type Mailing, mailing } from '../../mail/kind.ts';
import { passwordOf } from '../credentials/queries.ts';
import { linkKey } from '../shared/link-keys.ts';
import { type AccountLink, openLinkById } from './links.ts';
import * as kinds from './mail-kinds.ts';

export function accountMailings(app: AppContext): readonly Mailing[] {
  const urlOf = ({ directory }: Organization) => app.address.of(directory.organization.subdomain);
  const nameOf = ({ directory }: Organization) => directory.organization.name;

  return [
    mailing(kinds.resetMail, async ({ db, organizationId, about: { linkId } }) => {
      const organization = await app.organizations.byId(organizationId);
      const link = await openLinkById(db, organizationId, linkId);
      const user = organization && link && userOf(organization, link);
      if (organization === undefined || link === undefined || user === undefined) return undefined;
      // An LDAP directory may manage the password. A second, local password would survive that one.
      const { hash } = await passwordOf({ db }, organizationId, user.deliveryEmail);
      if (hash === null && app.config.ldapUrl !== null) return undefined;
      const key = linkKey(app.secret, 'password reset', link.nonce);
      return {
        to: user.deliveryEmail,
        title: `Set a new password for ${nameOf(organization)}`,
        paragraphs: [
          `Hello ${user.fullName},`,
          `Somebody, perhaps you, has asked for a new password for your account of ${nameOf(organization)} at ${urlOf(organization)}.`,
        ],
        link: { label: 'Set a new password', url: `${urlOf(organization)}/accounts/password/reset/${key}/` },
        afterwards: [
          'The link is for you alone, and good once, for a day.',
          'If it was not you, do nothing: your password stays as it is.',
        ],
      };
    }),

    mailing(kinds.confirmAddressMail, async ({ db, organizationId, about: { linkId } }) => {
      const organization = await app.organizations.byId(organizationId);
      const link = await openLinkById(db, organizationId, linkId);
      const user = organization && link && userOf(organization, link);
      if (organization === undefined || link === undefined || user === undefined) return undefined;
      const taken = organization.directory.correspondentByEmail(link.address);
      if (taken !== undefined && taken.id !== user.id) return undefined;
      const key = linkKey(app.secret, 'change of address', link.nonce);
      return {
        to: link.address,
        title: `Confirm your new address for ${nameOf(organization)}`,
        paragraphs: [
          'Hello,',
          `The account ${user.deliveryEmail} of ${nameOf(organization)} at ${urlOf(organization)} is to have this address from now on.`,
        ],
        link: { label: 'Confirm the address', url: `${urlOf(organization)}/accounts/confirm_new_email/${key}` },
        afterwards: [
          'The link is good for a day.',
          'If you have not asked for this, do nothing: the address stays as it is.',
        ],
      };
    }),

    mailing(kinds.addressChangedMail, async ({ organizationId, about: { to, address } }) => {
      const organization = await app.organizations.byId(organizationId);
      if (organization === undefined) return undefined;
      return {
        to,
        title: `Your address for ${nameOf(organization)} has changed`,
        paragraphs: [
          'Hello,',
          `Your account of ${nameOf(organization)} at ${urlOf(organization)} has the address ${address} now. You log in with that.`,
          'If it was not you, tell an administrator of the organization at once.',
        ],
      };
    }),

    mailing(kinds.newLoginMail, async ({ organizationId, about: { userId, device, remoteAddress, at } }) => {
      const organization = await app.organizations.byId(organizationId);
      const user = organization?.directory.user(userId);
      if (organization === undefined || !user?.isActive) return undefined;
      return {
        to: user.deliveryEmail,
        title: `New login to ${nameOf(organization)}`,
        paragraphs: [
          `Hello ${user.fullName},`,
          `Somebody has logged in to your account ${user.deliveryEmail} of ${nameOf(organization)} at ${urlOf(organization)}:`,
          `When: ${timeFor(user, new Date(at))}`,
          `With: ${device}`,
          `From: ${remoteAddress}`,
          'If it was you, there is nothing to do.',
          `If not, set a new password at ${urlOf(organization)}/accounts/password/reset/ and get a new API key in the settings.`,
          'Your settings can switch these mails off.',
        ],
      };
    }),

    mailing(kinds.accountClosedMail, async ({ organizationId, about: { userId, comment } }) => {
      const organization = await app.organizations.byId(organizationId);
      const user = organization?.directory.user(userId);
      // An account that is active again needs no mail.
      if (organization === undefined || user === undefined || user.isActive) return undefined;
      return {
        to: user.deliveryEmail,
        title: `Your account of ${nameOf(organization)} is deactivated`,
        paragraphs: [
          `Hello ${user.fullName},`,
          `Your account of ${nameOf(organization)} at ${urlOf(organization)} has been deactivated: you cannot log in any more.`,
          ...(comment === '' ? [] : ['The administrators say about it:', comment]),
        ],
      };
    }),
  ];
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
