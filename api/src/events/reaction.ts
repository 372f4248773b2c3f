import Type from 'typebox';
import { reactionEmoji } from '../objects/reaction.ts';

/** The user of `user_id`, for clients that need no list of users. Messages have only the id. */
const reactingUser = Type.Object({ user_id: Type.Integer(), email: Type.String(), full_name: Type.String() });

export const reactionEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('reaction'),
  op: Type.Union([Type.Literal('add'), Type.Literal('remove')]),
  message_id: Type.Integer(),
  ...reactionEmoji,
  user: reactingUser,
});
