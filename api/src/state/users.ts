import Type, { type TProperties } from 'typebox';
import { briefUser, listedUser, spectatedUser, user } from '../objects/user.ts';

const users = Type.Array(Type.Union([listedUser, spectatedUser, briefUser]), {
  description: 'For spectators, and with the capability `brief_users`, each user has fewer fields',
});

function systemBot<Properties extends TProperties>(properties: Properties) {
  return Type.Object({ ...properties, is_active: user.properties.is_active, is_system_bot: Type.Literal(true) });
}

/** The fields about users and about the caller. */
export const usersState = {
  realm_users: Type.Optional(users),
  realm_non_active_users: Type.Optional(users),
  cross_realm_bots: Type.Optional(
    Type.Array(Type.Union([systemBot(listedUser.properties), systemBot(spectatedUser.properties)]), {
      description: 'The system bots. They write messages, but are not in the list of users',
    }),
  ),
  user_id: Type.Optional(Type.Integer()),
  email: Type.Optional(Type.String()),
  delivery_email: Type.Optional(Type.String()),
  full_name: Type.Optional(Type.String()),
  is_owner: Type.Optional(Type.Boolean()),
  is_admin: Type.Optional(Type.Boolean()),
  is_moderator: Type.Optional(Type.Boolean()),
  is_guest: Type.Optional(Type.Boolean()),
  avatar_source: Type.Optional(Type.Union([Type.Literal('G'), Type.Literal('U')])),
  avatar_url: Type.Optional(Type.String()),
  avatar_url_medium: Type.Optional(Type.String()),
  can_create_streams: Type.Optional(Type.Boolean({ deprecated: true })),
  can_create_public_streams: Type.Optional(Type.Boolean({ deprecated: true })),
  can_create_private_streams: Type.Optional(Type.Boolean({ deprecated: true })),
  can_create_web_public_streams: Type.Optional(Type.Boolean({ deprecated: true })),
  can_subscribe_other_users: Type.Optional(Type.Boolean({ deprecated: true })),
  can_invite_others_to_realm: Type.Optional(Type.Boolean({ deprecated: true })),
};
