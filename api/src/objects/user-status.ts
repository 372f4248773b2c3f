import Type from 'typebox';
import { reactionType } from './reaction.ts';

/** The status of a user. Only the fields that the user set are present. */
export const userStatus = Type.Object({
  away: Type.Optional(Type.Boolean({ deprecated: true, description: 'Hides the presence of the user' })),
  status_text: Type.Optional(Type.String()),
  emoji_name: Type.Optional(Type.String()),
  emoji_code: Type.Optional(Type.String()),
  reaction_type: Type.Optional(reactionType),
});
