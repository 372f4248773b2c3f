import Type from 'typebox';
import { customEmojiById } from '../objects/custom-emoji.ts';

export const customEmojiState = { realm_emoji: Type.Optional(customEmojiById) };
