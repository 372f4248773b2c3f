import Type from 'typebox';
import { reactionType } from '../objects/reaction.ts';

/** The changed fields of a status. Removed texts are empty. */
export const userStatusEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('user_status'),
  user_id: Type.Integer(),
  away: Type.Optional(Type.Boolean()),
  status_text: Type.Optional(Type.String()),
  emoji_name: Type.Optional(Type.String()),
  emoji_code: Type.Optional(Type.String()),
  reaction_type: Type.Optional(reactionType),
});
