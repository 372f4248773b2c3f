import Type from 'typebox';
import { list, MAX_CHANNELS_PER_REQUEST, MAX_GROUPS_PER_REQUEST, MAX_WELCOME_TEXT_LENGTH, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional, required } from '../contract.ts';
import { invitation, invitedRole } from '../objects/invitation.ts';

const AREA = 'Invitations';

const groups = defaulted(list(Type.Integer(), MAX_GROUPS_PER_REQUEST), [], {
  description: 'IDs of groups for the new user. The caller must be able to add members to them',
});

const invited = {
  invite_expires_in_minutes: optional(Type.Union([Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), Type.Null()]), {
    description: 'Null means never. The default is a setting of the server',
  }),
  invite_as: defaulted(invitedRole, 400, {
    description: 'The role of the new user. It cannot have more permissions than the role of the caller',
  }),
  group_ids: groups,
  include_realm_default_subscriptions: defaulted(Type.Boolean(), false, {
    description: 'Whether the new user is subscribed to the default channels at the time of joining',
  }),
  welcome_message_custom_text: optional(Type.Union([text({ maxLength: MAX_WELCOME_TEXT_LENGTH }), Type.Null()]), {
    description:
      'Only for administrators: an additional text of the welcome bot. Null means the text of the organization, empty means none',
  }),
};

const channels = list(Type.Integer(), MAX_CHANNELS_PER_REQUEST);
const ofChannels = {
  description:
    'IDs of channels for the new user: default channels, or channels to which the caller can add subscribers',
};

export const createInviteLink = defineEndpoint({
  operationId: 'create-invite-link',
  method: 'POST',
  path: '/invites/multiuse',
  area: AREA,
  summary: 'Create a reusable invitation link',
  authentication: 'required',
  parameters: { ...invited, stream_ids: defaulted(channels, [], ofChannels) },
  secrets: 'always',
  response: Type.Object({ invite_link: Type.String() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const sendInvites = defineEndpoint({
  operationId: 'send-invites',
  method: 'POST',
  path: '/invites',
  area: AREA,
  summary: 'Invite people by mail',
  description: 'Addresses with an account cause an error. The server invites the others.',
  authentication: 'required',
  parameters: {
    invitee_emails: required(text({ maxLength: 100_000 }), {
      description: 'Addresses, or names with addresses in angle brackets. Commas or line breaks separate them',
    }),
    ...invited,
    stream_ids: required(channels, ofChannels),
    notify_referrer_on_join: defaulted(Type.Boolean(), true, {
      description: 'Whether the caller receives a notification when a user joins',
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
  summary: 'List the valid invitations of the caller. For administrators, all invitations',
  description: 'Only owners receive reusable links for owners.',
  authentication: 'required',
  parameters: {},
  secrets: 'always',
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
  summary: 'Send the caller the message of the welcome bot as a test',
  description: 'Only for administrators.',
  authentication: 'required',
  parameters: { welcome_message_custom_text: required(text({ maxLength: MAX_WELCOME_TEXT_LENGTH })) },
  response: Type.Object({ message_id: Type.Integer({ description: 'The ID of the message' }) }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});
