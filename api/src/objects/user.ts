import Type from 'typebox';

const nullable = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** 100 owner, 200 administrator, 300 moderator, 400 member, 600 guest (interface document, Conventions 9). */
export const role = Type.Union([
  Type.Literal(100),
  Type.Literal(200),
  Type.Literal(300),
  Type.Literal(400),
  Type.Literal(600),
]);

/** Values of custom profile fields, by field id. */
export const profileData = Type.Record(
  Type.String({ pattern: '^\\d+$' }),
  Type.Object({ value: Type.String(), rendered_value: Type.Optional(Type.String()) }),
);

/** A user as everybody reads it (interface document, "User"). */
export const user = Type.Object({
  user_id: Type.Integer(),
  delivery_email: nullable(Type.String({ description: 'The real address; null where the caller may not see it' })),
  email: Type.String({ description: 'The address for the API' }),
  full_name: Type.String(),
  date_joined: Type.String({ description: 'ISO 8601' }),
  is_active: Type.Boolean({ description: 'false: deactivated' }),
  is_owner: Type.Boolean(),
  is_admin: Type.Boolean({ description: 'Also true of owners' }),
  is_guest: Type.Boolean(),
  is_bot: Type.Boolean(),
  bot_type: nullable(
    Type.Integer({ description: '1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded; null for people' }),
  ),
  bot_owner_id: Type.Optional(nullable(Type.Integer({ description: 'Only of bots' }))),
  is_system_bot: Type.Optional(Type.Literal(true, { description: "Only of the server's own bots" })),
  role,
  timezone: Type.String({ description: 'An IANA name, or empty' }),
  avatar_url: nullable(
    Type.String({ description: 'null: from gravatar, and the client computes it from the address' }),
  ),
  avatar_version: Type.Integer(),
  profile_data: Type.Optional(profileData),
});

/** A user as the initial state lists it, which has one list of those who are active and one of the others. */
export const listedUser = Type.Omit(user, ['is_active']);

/** A user as spectators read it there. */
export const spectatedUser = Type.Omit(listedUser, ['timezone', 'profile_data']);
