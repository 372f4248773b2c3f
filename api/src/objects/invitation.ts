import Type from 'typebox';

/** Owner, administrator, moderator, member, guest. */
export const invitedRole = Type.Union([
  Type.Literal(100),
  Type.Literal(200),
  Type.Literal(300),
  Type.Literal(400),
  Type.Literal(600),
]);

const common = {
  id: Type.Integer(),
  invited_by_user_id: Type.Integer(),
  invited: Type.Integer({ description: 'The time of the invitation in seconds since the epoch' }),
  expiry_date: Type.Union([Type.Integer(), Type.Null()], { description: 'Seconds since the epoch. Null means never' }),
  invited_as: invitedRole,
};

/** An invitation that is still valid. */
export const invitation = Type.Union([
  Type.Object({
    ...common,
    is_multiuse: Type.Literal(false),
    email: Type.String(),
    notify_referrer_on_join: Type.Boolean(),
  }),
  Type.Object({ ...common, is_multiuse: Type.Literal(true), link_url: Type.String() }),
]);
