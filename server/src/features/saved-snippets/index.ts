import { ofConsenting } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { savedSnippetPresenter } from './events.ts';
import { savedSnippetRoutes } from './routes.ts';
import { savedSnippetsState } from './state.ts';

export const savedSnippets: Feature = {
  routes: savedSnippetRoutes,
  state: () => [savedSnippetsState],
  presenters: { saved_snippets: savedSnippetPresenter },
  exports: [
    {
      table: 'saved_snippets',
      fields: ['user_id', 'id', 'title', 'content', 'created_at'],
      rows: ofConsenting,
    },
  ],
};
