import * as endpoints from '@heddle/api/endpoints/invitations.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = async ({ owner, publicChannel, privateChannel, groupId, secret }) => {
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
    attemptsOn(endpoints.createInviteLink, { refused: [...elsewhere, { group_ids: [groupId] }], harmless }),
    attemptsOn(endpoints.sendInvites, {
      refused: [
        ...elsewhere.map((channels) => ({ invitee_emails: 'new@example.com', ...channels })),
        { invitee_emails: 'new@example.com', stream_ids: [], group_ids: [groupId] },
      ],
      contained: [{ invitee_emails: owner.email, stream_ids: [] }],
      harmless: [...harmless, 'notify_referrer_on_join'],
    }),
    attemptsOn(endpoints.getInvites, { contained: [{}] }),
    attemptsOn(endpoints.revokeInvite, { refused: [{ invite_id: byMail }, { invite_id: link }] }),
    attemptsOn(endpoints.revokeInviteLink, { refused: [{ invite_id: link }, { invite_id: byMail }] }),
    attemptsOn(endpoints.resendInvite, { refused: [{ invite_id: byMail }] }),
    attemptsOn(endpoints.testWelcomeMessage, { contained: [{ welcome_message_custom_text: 'hello' }] }),
  ];
};
