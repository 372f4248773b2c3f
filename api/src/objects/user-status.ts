import Type from 'typebox';
import { reactionType } from './reaction.ts';

/** What somebody says of themselves; what is missing is not said. */
export const userStatus = Type.Object({
  away: Type.Optional(Type.Boolean({ deprecated: true, description: 'Hides their presence' })),
  status_text: Type.Optional(Type.String()),
  emoji_name: Type.Optional(Type.String()),
  emoji_code: Type.Optional(Type.String()),
  reaction_type: Type.Optional(reactionType),
});
