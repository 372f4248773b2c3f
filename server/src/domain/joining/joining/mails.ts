/** The mails to an address that a person wants to join with. */
import Type from 'typebox';
import type { Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { type Mailing, type MailKind, mailing } from '../../../mail/kind.ts';
import type { Mail } from '../../../mail/mail.ts';
import { linkKey } from '../../texts/shared/link-keys.ts';
import { findOpenLink } from '../../texts/shared/mailed-links.ts';

const about = Type.Object({ confirmationId: Type.Integer() });

export const joiningMail: MailKind<typeof about> = { name: 'joining', about };

export function joiningMailing(app: AppContext): Mailing {
  return mailing(joiningMail, async ({ db, organizationId, about: { confirmationId } }) => {
    const organization = await app.organizations.byId(organizationId);
    const confirmation = await findOpenLink(db, 'address_confirmations', organizationId, confirmationId);
    if (organization === undefined || confirmation === undefined) return undefined;
    const { directory } = organization;
    const url = app.address.of(directory.organization.subdomain);
    const { address } = confirmation;
    const user = directory.correspondentByEmail(address);
    if (user !== undefined) return toUser(organization, user, { address, url });
    const { name } = directory.organization;
    return {
      to: address,
      title: `Confirm your address to join ${name}`,
      paragraphs: ['Hello,', `We received a request to join ${name} at ${url} with this address.`],
      link: {
        label: `Join ${name}`,
        url: `${url}/accounts/do_confirm/${linkKey(app.secret, 'joining', confirmation.nonce)}`,
      },
      afterwards: [
        'The link works once, within one day. Do not share it.',
        'If you did not request this, ignore this mail. No account is created.',
      ],
    };
  });
}

/** The mail to the owner of an existing account; no mail if the account is no person's. */
function toUser(
  { directory }: Organization,
  { fullName, isActive, isBot, systemBot, deliveryEmail }: UserRecord,
  { address, url }: { readonly address: string; readonly url: string },
): Mail | undefined {
  if (isBot || systemBot !== undefined || deliveryEmail.toLowerCase() !== address.toLowerCase()) return undefined;
  const { name } = directory.organization;
  const asked = `We received a request to join ${name} at ${url} with this address.`;
  if (!isActive) {
    return {
      to: deliveryEmail,
      title: `Your account in ${name} is deactivated`,
      paragraphs: [
        `Hello ${fullName},`,
        asked,
        'It already has an account, which is deactivated. An administrator of the organization can reactivate it.',
      ],
    };
  }
  return {
    to: deliveryEmail,
    title: `You already have an account in ${name}`,
    paragraphs: [`Hello ${fullName},`, asked, 'It already has an account.'],
    link: { label: 'Log in', url: `${url}/login/` },
    afterwards: [
      `If you do not know your password, set a new one: ${url}/accounts/password/reset/`,
      'If you did not request this, ignore this mail. Your account does not change.',
    ],
  };
}
