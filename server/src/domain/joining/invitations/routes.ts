import type { Answer, Parameters } from '@heddle/api/contract.ts';
import * as endpoints from '@heddle/api/endpoints/invitations.ts';
import { badRequest, invitationFailed } from '@heddle/api/errors.ts';
import { roleRefusal } from '../../../access/setting-changes.ts';
import type { Directory } from '../../../directory/directory.ts';
import { Role } from '../../../directory/records.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { serializedList } from '../../../http/answers/serialized-list.ts';
import { greet } from '../../accounts/accounts/welcome.ts';
import { noticeContextOf } from '../../sending/sending/notices.ts';
import { createLink, inviteByMail, resend, revoke } from './actions.ts';
import { checkMayUseInvitations, type Invited, mayKnow } from './checking.ts';
import { type Invitation, openInvitations } from './rows.ts';
import { linkOf, statusOf } from './status.ts';

export function invitationRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    route(endpoints.createInviteLink, {}, async ({ parameters, organization, caller }) => {
      const invited = invitedOf(parameters);
      return {
        invite_link: await organization.transact(caller, 'exclusive', (change, user) =>
          createLink(app, change, user, invited),
        ),
      };
    }),

    route(endpoints.sendInvites, {}, async ({ parameters, organization, caller }) => {
      const { invitee_emails: addresses, notify_referrer_on_join: tellsInviter } = parameters;
      const invited = { ...invitedOf(parameters), addresses, tellsInviter };
      const errors = await organization.transact(caller, 'exclusive', (change, user) =>
        inviteByMail(app, change, user, invited),
      );
      app.jobs.wake();
      if (errors.length > 0) {
        const text =
          "Some of those addresses already have accounts, so we didn't send them an invitation. We did send invitations to everyone else!";
        throw invitationFailed(text, { errors, hasSentOthers: true });
      }
      return {};
    }),

    route(endpoints.getInvites, {}, async ({ organization, caller }) => {
      checkMayUseInvitations(caller);
      const inviterId = caller.role <= Role.administrator ? undefined : caller.id;
      const open = await openInvitations(app.db, organization.id, inviterId);
      const { directory } = organization;
      const listed = open.filter((one) => statusOf(directory, one) === 'open' && mayKnow(caller, one));
      return { invites: await serializedList(listed, (one) => presentInvitation(app, directory, one)) };
    }),

    route(endpoints.revokeInvite, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'exclusive', (change, user) =>
        revoke(change, user, parameters.invite_id, 'mail'),
      );
      return {};
    }),

    route(endpoints.revokeInviteLink, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'exclusive', (change, user) =>
        revoke(change, user, parameters.invite_id, 'link'),
      );
      return {};
    }),

    route(endpoints.resendInvite, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'exclusive', (change, user) =>
        resend(app, change, user, parameters.invite_id),
      );
      app.jobs.wake();
      return {};
    }),

    route(endpoints.testWelcomeMessage, {}, async ({ parameters, organization, caller }) => {
      const { welcome_message_custom_text: customText } = parameters;
      let messageId = 0;
      await organization.transact(caller, 'optimistic', async (change, user) => {
        const refusal = roleRefusal(user, 'administrator');
        if (refusal !== undefined) throw refusal;
        if (customText.trim() === '') throw badRequest('Message must not be empty');
        const { directory } = change;
        const noticeContext = noticeContextOf(directory, user, app.address.of(directory.organization.subdomain));
        const numbered = (id: number) => {
          messageId = id;
        };
        // An owner sees what members get.
        const isGreeted = await greet(change, user, { role: Role.member, customText, noticeContext, numbered });
        if (!isGreeted) throw badRequest('This organization has no welcome bot.');
      });
      return { message_id: messageId };
    }),
  ];
}

function invitedOf(
  parameters: Parameters<typeof endpoints.createInviteLink> | Parameters<typeof endpoints.sendInvites>,
): Invited {
  return {
    role: parameters.invite_as,
    channelIds: parameters.stream_ids,
    groupIds: parameters.group_ids,
    withDefaults: parameters.include_realm_default_subscriptions,
    welcomeText: parameters.welcome_message_custom_text ?? null,
    expiresInMinutes: parameters.invite_expires_in_minutes,
  };
}

function presentInvitation(
  app: AppContext,
  directory: Directory,
  invitation: Invitation,
): Answer<typeof endpoints.getInvites>['invites'][number] {
  const { email, expires_at } = invitation;
  const common = {
    id: invitation.id,
    invited_by_user_id: invitation.inviter_id,
    invited: seconds(invitation.created_at),
    expiry_date: expires_at === null ? null : seconds(expires_at),
    // The column has no other values.
    invited_as: invitation.role as Role,
  };
  if (email === null) return { ...common, is_multiuse: true, link_url: linkOf(app, directory, invitation) };
  return { ...common, is_multiuse: false, email, notify_referrer_on_join: invitation.tells_inviter };
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}
