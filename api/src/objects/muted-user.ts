import Type from 'typebox';

export const mutedUser = Type.Object({
  id: Type.Integer(),
  timestamp: Type.Integer({ description: 'The time of muting in seconds since the epoch' }),
});
