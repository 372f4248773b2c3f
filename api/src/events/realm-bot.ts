import Type from 'typebox';
import { bot } from '../objects/bot.ts';

const head = { id: Type.Integer(), type: Type.Literal('realm_bot') };

/** A bot that the user administers from now on. */
export const realmBotAdd = Type.Object({ ...head, op: Type.Literal('add'), bot });

/** Something of a bot changed: only that is there. */
export const realmBotUpdate = Type.Object({
  ...head,
  op: Type.Literal('update'),
  bot: Type.Intersect([Type.Object({ user_id: Type.Integer() }), Type.Partial(Type.Omit(bot, ['user_id']))]),
});

/** A bot that has another owner now. */
export const realmBotDelete = Type.Object({
  ...head,
  op: Type.Literal('delete'),
  bot: Type.Object({ user_id: Type.Integer() }),
});

export const realmBotEvent = Type.Union([realmBotAdd, realmBotUpdate, realmBotDelete]);
