import { statePart } from '../../extension/initial-state.ts';
import { type SavedSnippet, selectSnippets } from './queries.ts';

export const savedSnippetsState = statePart<readonly SavedSnippet[]>({
  types: ['saved_snippets'],
  select: ({ organizationId, userId }) => selectSnippets(organizationId, userId),
  build: (_, snippets) => ({ saved_snippets: snippets }),
  spectators: { build: () => ({ saved_snippets: [] }) },
});
