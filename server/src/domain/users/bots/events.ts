import type { realmBotEvent } from '@heddle/api/events/realm-bot.ts';
import type { Static } from 'typebox';
import type { Presenter } from '../../../directory/presenters.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { type BotEvent, presentBot } from './present.ts';

export function botPresenter(app: Pick<AppContext, 'secret'>): Presenter {
  return {
    present(event, _settings, _viewer, directory): Omit<Static<typeof realmBotEvent>, 'id'> {
      const body = event.body as BotEvent;
      switch (body.op) {
        case 'add':
          return { type: 'realm_bot', op: 'add', bot: presentBot(app, directory, body.bot, body.names) };
        case 'update': {
          const whole = presentBot(app, directory, body.bot, body.names);
          const changed = Object.fromEntries(body.changed.map((name) => [name, whole[name]]));
          return { type: 'realm_bot', op: 'update', bot: { ...changed, user_id: body.bot.id } };
        }
        case 'delete':
          return { type: 'realm_bot', op: 'delete', bot: { user_id: body.userId } };
      }
    },
  };
}
