import Type from 'typebox';
import { bot } from '../objects/bot.ts';

export const botsState = {
  realm_bots: Type.Optional(Type.Array(bot, { description: 'The bots of the user. For administrators, all bots' })),
  realm_embedded_bots: Type.Optional(
    Type.Array(Type.Object({}), { maxItems: 0, description: 'Heddle has no embedded bots' }),
  ),
  realm_incoming_webhook_bots: Type.Optional(
    Type.Array(Type.Object({}), {
      maxItems: 0,
      description: 'Always empty: `GET /integrations` lists the integrations',
    }),
  ),
};
