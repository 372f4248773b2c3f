import * as snippets from '@heddle/api/endpoints/saved-snippets.ts';
import { type AccessRow, row } from '../../testing/access/access-row.ts';
import type { Scene } from '../../testing/access/access-scene.ts';
import type { Fields } from '../../testing/clients/client.ts';

export const rows: readonly AccessRow[] = [
  row(snippets.getSavedSnippets, 'always', '++++++ uuxu'),
  row(snippets.createSavedSnippet, 'always', '++++++ uuxu', () => ({ title: 'title', content: 'content' })),
  row(snippets.editSavedSnippet, 'an own one', '++++++ uuxu', async ({ self }) => ({
    ...(await snippetOf(self)),
    title: 'new',
  })),
  row(snippets.editSavedSnippet, "somebody else's", 'nnnnnn uuxu', async ({ colleague }) => ({
    ...(await snippetOf(colleague)),
    title: 'new',
  })),
  row(snippets.deleteSavedSnippet, 'an own one', '++++++ uuxu', ({ self }) => snippetOf(self)),
  row(snippets.deleteSavedSnippet, "somebody else's", 'nnnnnn uuxu', ({ colleague }) => snippetOf(colleague)),
];

async function snippetOf(user: Scene['self']): Promise<Fields> {
  const { saved_snippet_id } = await user.ok('POST', '/saved_snippets', { title: 'title', content: 'content' });
  return { saved_snippet_id };
}
