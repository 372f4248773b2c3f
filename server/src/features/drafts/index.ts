import { ofConsenting } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { deleteUnsynchronizedDrafts } from './actions.ts';
import { draftPresenter } from './events.ts';
import { draftRoutes } from './routes.ts';
import { draftsState } from './state.ts';

export const drafts: Feature = {
  routes: draftRoutes,
  state: () => [draftsState],
  presenters: { drafts: draftPresenter },
  hooks: { settingChanged: deleteUnsynchronizedDrafts },
  exports: [
    {
      table: 'drafts',
      fields: ['user_id', 'id', 'channel_id', 'recipients', 'topic', 'content', 'edited_at'],
      rows: ofConsenting,
    },
  ],
};
