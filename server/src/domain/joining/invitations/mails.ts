import Type from 'typebox';
import { organizationSetting } from '../../../access/organization-settings.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { languageFor } from '../../../languages/language.ts';
import { type Mailing, type MailKind, mailing } from '../../../mail/kind.ts';
import { invitationById } from './rows.ts';
import { linkOf, statusOf } from './status.ts';

const about = Type.Object({ invitationId: Type.Integer() });

export const invitationMail: MailKind<typeof about> = { name: 'invitation', about };

/** The mail is dropped if the invitation has ended. */
export function invitationMailing(app: AppContext): Mailing {
  return mailing(invitationMail, async ({ db, organizationId, about: { invitationId } }) => {
    const organization = await app.organizations.byId(organizationId);
    const invitation = await invitationById(db, organizationId, invitationId);
    if (organization === undefined || invitation === undefined || invitation.email === null) return undefined;
    const { directory } = organization;
    if (statusOf(directory, invitation) !== 'open') return undefined;
    const inviter = directory.user(invitation.inviter_id);
    if (inviter === undefined) return undefined;
    // The person has no account yet, so no better language is known.
    const language = languageFor([organizationSetting(directory, 'default_language')]);
    const { t } = language;
    const { name, subdomain } = directory.organization;
    const { fullName: inviterName, deliveryEmail: address } = inviter;
    return {
      language,
      to: invitation.email,
      title: t('{inviterName} has invited you to join {name}', { inviterName, name }),
      paragraphs: [
        t('Hello,'),
        t('{inviterName} ({address}) invites you to join the team chat of {name} at {url}.', {
          inviterName,
          address,
          name,
          url: app.address.of(subdomain),
        }),
      ],
      link: { label: t('Join {name}', { name }), url: linkOf(app, directory, invitation) },
      afterwards: [
        invitation.expires_at === null
          ? t('Do not share this link.')
          : t('The link works until {time}. Do not share it.', {
              time: language.date(invitation.expires_at, { dateStyle: 'full', timeStyle: 'long', timeZone: 'UTC' }),
            }),
        t('If you did not expect this invitation, ignore this mail. No account is created.'),
      ],
    };
  });
}
