import Type from 'typebox';
import { bot } from '../objects/bot.ts';

export const botsState = {
  realm_bots: Type.Optional(Type.Array(bot, { description: "The user's own; administrators are told of all" })),
  realm_embedded_bots: Type.Optional(
    Type.Array(Type.Object({}), { maxItems: 0, description: 'This server runs no bots itself' }),
  ),
  realm_incoming_webhook_bots: Type.Optional(
    Type.Array(Type.Object({}), { maxItems: 0, description: 'This server has no integrations of its own' }),
  ),
};
