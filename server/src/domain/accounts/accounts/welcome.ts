/** Messages of the system bots to new users and their inviters. */
import { organizationSetting } from '../../../access/organization-settings.ts';
import type { Directory } from '../../../directory/directory.ts';
import type { OptimisticChange } from '../../../directory/organization.ts';
import { Role, type UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import {
  type DirectNotice,
  type NoticeContext,
  noticeContextOfNewcomer,
  noticeDirectly,
  silentMention,
} from '../../sending/sending/notices.ts';
import { queueWelcomeMail } from './welcome-mail.ts';

const GREETING = `Hello, and welcome! 👋 This is a direct message from me, the welcome bot.

Conversations here have topics, so that you can follow those that concern you and come back to them later.`;

/** The first links of the greeting. They lead to views that other clients of the API know by the same addresses. */
const FIRST_STEPS = `* [Look through the channels](#channels/available), and join those that concern you.
* [Add your picture](#settings/profile), so that others recognize you.
* [Choose what notifies you](#settings/notifications).
* [Learn how to format messages](#message-formatting), or [the keyboard shortcuts](#keyboard-shortcuts).`;

/** Those for owners, who begin with the organization. */
const FIRST_STEPS_OF_OWNERS = `* [Add a picture and a description](#organization/organization-profile) of the organization.
* [Create a channel](#channels/new) for each team or project.
* [Invite people](#invite).`;

function greetingFor(role: number): string {
  const steps = role === Role.owner ? `${FIRST_STEPS_OF_OWNERS}\n${FIRST_STEPS}` : FIRST_STEPS;
  return `${GREETING}\n\n${steps}`;
}

/**
 * Sends the greeting of the welcome bot, and the organization's welcome text.
 * @param customText '' sends only the greeting
 * @returns whether it is sent: an organization may lack the bot
 */
export function greet(
  change: OptimisticChange,
  user: UserRecord,
  { role, customText, noticeContext, numbered }: Greeting,
): Promise<boolean> {
  const notices: DirectNotice[] = [{ user, content: greetingFor(role) }];
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
