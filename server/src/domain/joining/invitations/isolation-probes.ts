import * as endpoints from '@heddle/api/endpoints/invitations.ts';
import { type IsolationProbes, probesOf } from '../../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, publicChannel, privateChannel, groupId, secret }) => {
  const email = `${secret('invited').replaceAll(/[^A-Za-z0-9]/g, '')}@example.com`;
  await owner.ok('POST', '/invites', { invitee_emails: email, stream_ids: [] });
  await owner.ok('POST', '/invites/multiuse');
  const { invites } = await owner.ok('GET', '/invites');
  const [byMail, link] = [false, true].map(
    (isLink) => (invites as { id: number; is_multiuse: boolean }[]).find((one) => one.is_multiuse === isLink)?.id ?? 0,
  );
  const elsewhere = [publicChannel.id, privateChannel.id].map((id) => ({ stream_ids: [id] }));
  const harmless = [
    'invite_expires_in_minutes',
    'invite_as',
    'include_realm_default_subscriptions',
    'welcome_message_custom_text',
  ] as const;
  return [
    probesOf(endpoints.createInviteLink, { refused: [...elsewhere, { group_ids: [groupId] }], harmless }),
    probesOf(endpoints.sendInvites, {
      refused: [
        ...elsewhere.map((channels) => ({ invitee_emails: 'new@example.com', ...channels })),
        { invitee_emails: 'new@example.com', stream_ids: [], group_ids: [groupId] },
      ],
      contained: [{ invitee_emails: owner.email, stream_ids: [] }],
      harmless: [...harmless, 'notify_referrer_on_join'],
    }),
    probesOf(endpoints.getInvites, { contained: [{}] }),
    probesOf(endpoints.revokeInvite, { refused: [{ invite_id: byMail }, { invite_id: link }] }),
    probesOf(endpoints.revokeInviteLink, { refused: [{ invite_id: link }, { invite_id: byMail }] }),
    probesOf(endpoints.resendInvite, { refused: [{ invite_id: byMail }] }),
    probesOf(endpoints.testWelcomeMessage, { contained: [{ welcome_message_custom_text: 'hello' }] }),
  ];
};
