import type { Feature } from '../feature.ts';
import { savedSnippetAttempts } from './attempts.ts';
import { savedSnippetPresenter } from './events.ts';
import { savedSnippetRoutes } from './routes.ts';
import { savedSnippetsState } from './state.ts';

export const savedSnippets: Feature = {
  name: 'saved-snippets',
  routes: savedSnippetRoutes,
  state: () => [savedSnippetsState],
  presenters: { saved_snippets: savedSnippetPresenter },
  attempts: savedSnippetAttempts,
};
