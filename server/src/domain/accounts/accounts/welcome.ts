/** Messages of the system bots to new users and their inviters. */
import { organizationSetting } from '../../../access/organization-settings.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { OptimisticChange } from '../../../directory/organization.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import type { Language } from '../../../languages/language.ts';
import {
  type DirectNotice,
  type NoticeContext,
  noticeContextOfNewcomer,
  noticeDirectly,
  silentMention,
} from '../../sending/sending/notices.ts';
import { languageOfUser } from '../../users/user-settings/language.ts';
import { queueWelcomeMail } from './welcome-mail.ts';

/**
 * The first steps for everybody. They lead to views that other clients of the API know by the same addresses. The texts are Markdown.
 */
function firstSteps({ t }: Language): readonly string[] {
  return [
    t('[Look through the channels]({address}), and join those that concern you.', { address: '#channels/available' }),
    t('[Add your picture]({address}), so that others recognize you.', { address: '#settings/profile' }),
    t('[Choose what notifies you]({address}).', { address: '#settings/notifications' }),
    t('[Learn how to format messages]({formatting}), or [the keyboard shortcuts]({shortcuts}).', {
      formatting: '#message-formatting',
      shortcuts: '#keyboard-shortcuts',
    }),
  ];
}

/** Those for owners, who begin with the organization. */
function firstStepsOfOwners({ t }: Language): readonly string[] {
  return [
    t('[Add a picture and a description]({address}) of the organization.', {
      address: '#organization/organization-profile',
    }),
    t('[Create a channel]({address}) for each team or project.', { address: '#channels/new' }),
    t('[Invite people]({address}).', { address: '#invite' }),
  ];
}

function greetingFor(role: number, language: Language): string {
  const { t } = language;
  const steps = [...(role === Role.owner ? firstStepsOfOwners(language) : []), ...firstSteps(language)];
  return [
    t('Hello, and welcome! 👋 This is a direct message from me, the welcome bot.'),
    t('Conversations here have topics, so that you can follow those that concern you and come back to them later.'),
    steps.map((step) => `* ${step}`).join('\n'),
  ].join('\n\n');
}

/**
 * Sends the greeting of the welcome bot in the language of the account, and the organization's welcome text.
 * If `customText` is empty, only the greeting is sent.
 * @returns whether it is sent: an organization may lack the bot
 */
export async function greet(
  change: OptimisticChange,
  user: UserRecord,
  { role, customText, noticeContext, numbered }: Greeting,
): Promise<boolean> {
  const language = await languageOfUser(change.db, change.directory.organization.id, user.id);
  const notices: DirectNotice[] = [{ user, content: greetingFor(role, language) }];
  if (customText.trim() !== '') notices.push({ user, content: customText, ...(numbered && { numbered }) });
  return noticeDirectly(change, notices, noticeContext, 'welcome');
}

/**
 * Greets a user who gets an account in this transaction without an invitation. So the first client they open has
 * content. An owner has created the organization and needs no mail about it.
 */
export async function greetNewcomer(
  { address }: Pick<AppContext, 'address'>,
  change: OptimisticChange,
  newcomer: UserRecord,
): Promise<boolean> {
  const { directory } = change;
  if (newcomer.role !== Role.owner) await queueWelcomeMail(change, newcomer);
  const noticeContext = noticeContextOfNewcomer(directory, newcomer, address.of(directory.organization.subdomain));
  const customText = welcomeTextOf(directory, null);
  return greet(change, newcomer, { role: newcomer.role, customText, noticeContext });
}

export interface Greeting {
  /** Whose first steps the greeting has. */
  readonly role: number;
  readonly customText: string;
  readonly noticeContext: NoticeContext;
  /** Called with the id of the message that has the custom text. */
  readonly numbered?: (messageId: number) => void;
}

/** The invitation's text, or else the organization's. */
export function welcomeTextOf(directory: Directory, ofInvitation: string | null): string {
  return ofInvitation ?? organizationSetting(directory, 'welcome_message_custom_text');
}

/** Notifies the inviter that the invited user has joined. */
export async function notifyInviter(
  change: OptimisticChange,
  { inviter, newcomer, noticeContext }: { inviter: UserRecord; newcomer: UserRecord; noticeContext: NoticeContext },
): Promise<void> {
  const content = `${silentMention(newcomer)} accepted your invitation to join!`;
  await noticeDirectly(change, [{ user: inviter, content }], noticeContext);
}
