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

/** Values of custom profile fields, by field ID. */
export const profileData = Type.Record(
  Type.String({ pattern: '^\\d+$' }),
  Type.Object({ value: Type.String(), rendered_value: Type.Optional(Type.String()) }),
);

/** A user (interface document, "User"). */
export const user = Type.Object({
  user_id: Type.Integer(),
  delivery_email: nullable(Type.String({ description: 'The real address, or null if the caller cannot access it' })),
  email: Type.String({ description: 'The address for the API' }),
  full_name: Type.String(),
  date_joined: Type.String({ description: 'ISO 8601' }),
  is_active: Type.Boolean({ description: 'False for a deactivated user' }),
  is_owner: Type.Boolean(),
  is_admin: Type.Boolean({ description: 'Also true for owners' }),
  is_guest: Type.Boolean(),
  is_bot: Type.Boolean(),
  bot_type: nullable(
    Type.Integer({ description: '1 generic, 2 incoming webhook, 3 outgoing webhook, 4 embedded. Null for people' }),
  ),
  bot_owner_id: Type.Optional(nullable(Type.Integer({ description: 'Only for bots' }))),
  is_system_bot: Type.Optional(Type.Literal(true, { description: 'Only for system bots' })),
  role,
  timezone: Type.String({ description: 'An IANA time zone, or empty' }),
  avatar_url: nullable(Type.String({ description: 'Null if the client computes the Gravatar URL from the address' })),
  avatar_version: Type.Integer(),
  profile_data: Type.Optional(profileData),
});

/** A user in the initial state, which has separate lists of active and deactivated users. */
export const listedUser = Type.Omit(user, ['is_active']);

/** A user in the initial state with the capability `brief_users`. Fields that follow from the role, or have the usual value, are missing. */
export const briefUser = Type.Object({
  user_id: Type.Integer(),
  email: user.properties.email,
  delivery_email: Type.Optional(
    nullable(Type.String({ description: 'Missing: the same as `email`. Null: the caller cannot access it' })),
  ),
  full_name: Type.String(),
  date_joined: user.properties.date_joined,
  role,
  is_bot: Type.Optional(Type.Literal(true)),
  bot_type: Type.Optional(Type.Integer()),
  bot_owner_id: user.properties.bot_owner_id,
  timezone: Type.Optional(Type.String({ description: 'An IANA time zone. Missing: empty' })),
  avatar_url: Type.Optional(
    Type.String({ description: 'Missing: the client computes the Gravatar URL from the address' }),
  ),
  avatar_version: Type.Optional(Type.Integer({ description: 'Missing: 1' })),
  profile_data: Type.Optional(profileData),
});

/** A user in the initial state of a spectator. */
export const spectatedUser = Type.Omit(listedUser, ['timezone', 'profile_data']);
