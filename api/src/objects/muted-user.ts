import Type from 'typebox';

export const mutedUser = Type.Object({
  id: Type.Integer(),
  timestamp: Type.Integer({ description: 'When they were muted, in seconds since the epoch' }),
});
