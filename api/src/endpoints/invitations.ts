import Type from 'typebox';
import { LONGEST_WELCOME_TEXT, list, MOST_CHANNELS, MOST_GROUPS, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { invitation, invitedRole } from '../objects/invitation.ts';

const AREA = 'Invitations';

const groups = defaulted(list(Type.Integer(), MOST_GROUPS), [], {
  description: 'User groups that the caller may add others to, which who comes is added to',
});

const invited = {
  invite_expires_in_minutes: optional(Type.Union([Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), Type.Null()]), {
    description: "null: never; left out: the server's usual time",
  }),
  invite_as: defaulted(invitedRole, 400, { description: "A role; none with more rights than the caller's own" }),
  group_ids: groups,
  include_realm_default_subscriptions: defaulted(Type.Boolean(), false, {
    description: 'Whether who comes is subscribed to what are default channels by then',
  }),
  welcome_message_custom_text: optional(Type.Union([text({ maxLength: LONGEST_WELCOME_TEXT }), Type.Null()]), {
    description:
      "For administrators: what the welcome bot says besides; null: the organization's own text, empty: nothing",
  }),
};

const channels = list(Type.Integer(), MOST_CHANNELS);
const ofChannels = {
  description: 'Default channels, or such as the caller may subscribe others to, which who comes is subscribed to',
};

export const createInviteLink = defineEndpoint({
  operationId: 'create-invite-link',
  method: 'POST',
  path: '/invites/multiuse',
  area: AREA,
  summary: 'Create a link with which people join, as many as get it',
  authentication: 'required',
  parameters: { ...invited, stream_ids: defaulted(channels, [], ofChannels) },
  response: Type.Object({ invite_link: Type.String() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const sendInvites = defineEndpoint({
  operationId: 'send-invites',
  method: 'POST',
  path: '/invites',
  area: AREA,
  summary: 'Invite people by mail',
  description: 'Of addresses that have an account already the answer is an error, and all others are invited.',
  authentication: 'required',
  parameters: {
    invitee_emails: required(text({ maxLength: 100_000 }), {
      description: 'Addresses, or names with addresses in angle brackets, with commas or line breaks between them',
    }),
    ...invited,
    stream_ids: required(channels, ofChannels),
    notify_referrer_on_join: defaulted(Type.Boolean(), true, {
      description: 'Whether the caller is told when somebody has come',
    }),
  },
  response: Type.Object({}),
  errors: ['INVITATION_FAILED', 'UNAUTHORIZED_PRINCIPAL'],
});

export const getInvites = defineEndpoint({
  operationId: 'get-invites',
  method: 'GET',
  path: '/invites',
  area: AREA,
  summary: "List open invitations: the caller's own, for administrators everybody's",
  authentication: 'required',
  parameters: {},
  response: Type.Object({ invites: Type.Array(invitation) }),
  errors: [],
});

const one = { invite_id: inPath(Type.Integer()) };

export const revokeInvite = defineEndpoint({
  operationId: 'revoke-email-invite',
  method: 'DELETE',
  path: '/invites/{invite_id}',
  area: AREA,
  summary: 'Revoke an invitation by mail',
  authentication: 'required',
  parameters: one,
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const revokeInviteLink = defineEndpoint({
  operationId: 'revoke-invite-link',
  method: 'DELETE',
  path: '/invites/multiuse/{invite_id}',
  area: AREA,
  summary: 'Revoke a reusable link',
  authentication: 'required',
  parameters: one,
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const resendInvite = defineEndpoint({
  operationId: 'resend-email-invite',
  method: 'POST',
  path: '/invites/{invite_id}/resend',
  area: AREA,
  summary: 'Send an invitation by mail again',
  authentication: 'required',
  parameters: one,
  response: Type.Object({}),
  errors: ['INVITATION_FAILED', 'UNAUTHORIZED_PRINCIPAL'],
});

export const testWelcomeMessage = defineEndpoint({
  operationId: 'test-welcome-bot-custom-message',
  method: 'POST',
  path: '/realm/test_welcome_bot_custom_message',
  area: AREA,
  summary: 'Let the welcome bot say to the caller what it would say to who is new',
  description: 'For administrators.',
  authentication: 'required',
  parameters: { welcome_message_custom_text: required(text({ maxLength: LONGEST_WELCOME_TEXT })) },
  response: Type.Object({ message_id: Type.Integer({ description: 'Of the message with that text' }) }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});
