import Type from 'typebox';
import { reactionEmoji } from '../objects/reaction.ts';

export const reactionEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('reaction'),
  op: Type.Union([Type.Literal('add'), Type.Literal('remove')]),
  message_id: Type.Integer(),
  ...reactionEmoji,
});
