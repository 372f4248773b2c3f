import type { Presenter } from '../../../directory/presenters.ts';
import { ofConsenting } from '../../../extension/exports.ts';
import type { Feature } from '../../../extension/feature.ts';
import { statePart } from '../../../extension/initial-state.ts';
import { alertWordsPart } from './alert-words.ts';
import { alertWordRoutes } from './routes.ts';

const presenter: Presenter = {
  present: ({ body }) => ({ type: 'alert_words', alert_words: (body as { readonly words: readonly string[] }).words }),
};

const state = statePart({
  types: ['alert_words'],
  build: ({ directory, user }) => ({ alert_words: directory.part(alertWordsPart).of(user.id) }),
  spectators: { build: () => ({ alert_words: [] }) },
});

export const alertWords: Feature = {
  routes: alertWordRoutes,
  directory: [alertWordsPart],
  state: () => [state],
  presenters: { alert_words: presenter },
  exports: [
    {
      table: 'alert_words',
      fields: ['user_id', 'words'],
      rows: ofConsenting,
    },
  ],
};
