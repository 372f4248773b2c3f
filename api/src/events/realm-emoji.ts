import Type from 'typebox';
import { customEmojiById } from '../objects/custom-emoji.ts';

export const realmEmojiEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('realm_emoji'),
  op: Type.Literal('update'),
  realm_emoji: customEmojiById,
});
