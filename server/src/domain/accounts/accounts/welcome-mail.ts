import Type from 'typebox';
import { organizationSetting } from '../../../access/organization-settings.ts';
import type { OptimisticChange } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { type Mailing, type MailKind, mailing, queueMail } from '../../../mail/kind.ts';
import { isMailable } from '../../../mail/mail.ts';
import { languageOfUser } from '../../users/user-settings/language.ts';

const about = Type.Object({ userId: Type.Integer() });

/** An import of accounts can queue many at once. */
const welcomeMail: MailKind<typeof about> = { name: 'welcome', about, isBulk: true };

/** Queues the mail to a new user, if the organization sends such mails (`send_welcome_emails`). */
export async function queueWelcomeMail({ db, directory }: OptimisticChange, user: UserRecord): Promise<void> {
  if (!organizationSetting(directory, 'send_welcome_emails') || !isMailable(user.deliveryEmail)) return;
  await queueMail(db, welcomeMail, { organizationId: directory.organization.id, about: { userId: user.id } });
}

export function welcomeMailing(app: Pick<AppContext, 'organizations' | 'address'>): Mailing {
  return mailing(welcomeMail, async ({ db, organizationId, about: { userId } }) => {
    const organization = await app.organizations.byId(organizationId);
    const user = organization?.directory.user(userId);
    if (organization === undefined || user?.isActive !== true) return undefined;
    const { name, subdomain } = organization.directory.organization;
    const url = app.address.of(subdomain);
    const language = await languageOfUser(db, organizationId, userId);
    const { t } = language;
    return {
      language,
      to: user.deliveryEmail,
      title: t('Welcome to {name}', { name }),
      paragraphs: [
        t('Hello {fullName},', { fullName: user.fullName }),
        t('You now have an account in {name}, a team chat at {url}. Keep this mail: it has what you need to log in.', {
          name,
          url,
        }),
        t('Organization: {url}', { url }),
        t('Your address: {address}', { address: user.deliveryEmail }),
        t('Conversations there have topics. Follow the topics that concern you, and mute what does not.'),
      ],
      link: { label: t('Open {name}', { name }), url: `${url}/` },
      afterwards: [t('If you did not expect this mail, contact an administrator of the organization.')],
    };
  });
}
