import { statePart } from '../initial-state.ts';
import { type SavedSnippet, savedSnippetsOf } from './queries.ts';

export const savedSnippetsState = statePart<readonly SavedSnippet[]>({
  types: ['saved_snippets'],
  query: (snapshot, { directory, user }) => savedSnippetsOf(snapshot, directory.organization.id, user.id),
  build: (_, snippets) => ({ saved_snippets: snippets }),
});
