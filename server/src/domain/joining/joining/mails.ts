/** The mails to an address that a person wants to join with. */
import Type from 'typebox';
import type { Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { type Language, languageFor } from '../../../languages/language.ts';
import { type Mailing, type MailKind, mailing } from '../../../mail/kind.ts';
import type { Mail } from '../../../mail/mail.ts';
import { linkKey } from '../../texts/shared/link-keys.ts';
import { findOpenLink } from '../../texts/shared/mailed-links.ts';
import { languageOfUser } from '../../users/user-settings/language.ts';

const about = Type.Object({
  confirmationId: Type.Integer(),
  /** That of the page where the person asked. Mails of an older version have none. */
  language: Type.Optional(Type.String()),
});

export const joiningMail: MailKind<typeof about> = { name: 'joining', about };

export function joiningMailing(app: AppContext): Mailing {
  return mailing(joiningMail, async ({ db, organizationId, about: { confirmationId, language: asked } }) => {
    const organization = await app.organizations.byId(organizationId);
    const confirmation = await findOpenLink(db, 'address_confirmations', organizationId, confirmationId);
    if (organization === undefined || confirmation === undefined) return undefined;
    const { directory } = organization;
    const url = app.address.of(directory.organization.subdomain);
    const { address } = confirmation;
    const user = directory.correspondentByEmail(address);
    if (user !== undefined) {
      return toUser(organization, user, { address, url, language: await languageOfUser(db, organizationId, user.id) });
    }
    const language = languageFor([asked]);
    const { t } = language;
    const { name } = directory.organization;
    return {
      language,
      to: address,
      title: t('Confirm your address to join {name}', { name }),
      paragraphs: [t('Hello,'), t('We received a request to join {name} at {url} with this address.', { name, url })],
      link: {
        label: t('Join {name}', { name }),
        url: `${url}/accounts/do_confirm/${linkKey(app.secret, 'joining', confirmation.nonce)}`,
      },
      afterwards: [
        t('The link works once, within one day. Do not share it.'),
        t('If you did not request this, ignore this mail. No account is created.'),
      ],
    };
  });
}

/** The mail to the owner of an existing account; no mail if the account is no person's. */
function toUser(
  { directory }: Organization,
  { fullName, isActive, isBot, systemBot, deliveryEmail }: UserRecord,
  { address, url, language }: { readonly address: string; readonly url: string; readonly language: Language },
): Mail | undefined {
  if (isBot || systemBot !== undefined || deliveryEmail.toLowerCase() !== address.toLowerCase()) return undefined;
  const { t } = language;
  const { name } = directory.organization;
  const hello = t('Hello {fullName},', { fullName });
  const asked = t('We received a request to join {name} at {url} with this address.', { name, url });
  if (!isActive) {
    return {
      language,
      to: deliveryEmail,
      title: t('Your account in {name} is deactivated', { name }),
      paragraphs: [
        hello,
        asked,
        t('It already has an account, which is deactivated. An administrator of the organization can reactivate it.'),
      ],
    };
  }
  return {
    language,
    to: deliveryEmail,
    title: t('You already have an account in {name}', { name }),
    paragraphs: [hello, asked, t('It already has an account.')],
    link: { label: t('Log in'), url: `${url}/login/` },
    afterwards: [
      t('If you do not know your password, set a new one: {url}', { url: `${url}/accounts/password/reset/` }),
      t('If you did not request this, ignore this mail. Your account does not change.'),
    ],
  };
}
