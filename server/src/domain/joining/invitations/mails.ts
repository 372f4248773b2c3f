import Type from 'typebox';
import type { AppContext } from '../../../extension/app-context.ts';
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
    const { name } = directory.organization;
    return {
      to: invitation.email,
      title: `${inviter.fullName} has invited you to join ${name}`,
      paragraphs: [
        'Hello,',
        `${inviter.fullName} (${inviter.deliveryEmail}) invites you to join the team chat of ${name} at ${app.address.of(directory.organization.subdomain)}.`,
      ],
      link: { label: `Join ${name}`, url: linkOf(app, directory, invitation) },
      afterwards: [
        invitation.expires_at === null
          ? 'Do not share this link.'
          : `The link works until ${invitation.expires_at.toUTCString()}. Do not share it.`,
        'If you did not expect this invitation, ignore this mail. No account is created.',
      ],
    };
  });
}
