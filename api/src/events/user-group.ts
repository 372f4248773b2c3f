import Type from 'typebox';

/** Users joined a group directly. Deactivated ones leave all their groups without an event of this type. */
export const userGroupEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('user_group'),
  op: Type.Literal('add_members'),
  group_id: Type.Integer(),
  user_ids: Type.Array(Type.Integer()),
});
