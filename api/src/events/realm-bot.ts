import Type from 'typebox';
import { bot } from '../objects/bot.ts';

const head = { id: Type.Integer(), type: Type.Literal('realm_bot') };

/** The user can now administer this bot. */
export const realmBotAdd = Type.Object({ ...head, op: Type.Literal('add'), bot });

/** A bot changed. Only changed fields are present. */
export const realmBotUpdate = Type.Object({
  ...head,
  op: Type.Literal('update'),
  bot: Type.Intersect([Type.Object({ user_id: Type.Integer() }), Type.Partial(Type.Omit(bot, ['user_id']))]),
});

/** A bot has a new owner. */
export const realmBotDelete = Type.Object({
  ...head,
  op: Type.Literal('delete'),
  bot: Type.Object({ user_id: Type.Integer() }),
});

export const realmBotEvent = Type.Union([realmBotAdd, realmBotUpdate, realmBotDelete]);
