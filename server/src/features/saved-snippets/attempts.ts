import * as endpoints from '@heddle/api/endpoints/saved-snippets.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = async ({ owner, secret }) => {
  const texts = { title: secret('title'), content: secret('snippet') };
  const { saved_snippet_id: snippet } = await owner.ok('POST', '/saved_snippets', texts);
  return [
    attemptsOn(endpoints.getSavedSnippets, { contained: [{}] }),
    attemptsOn(endpoints.createSavedSnippet, { contained: [{ title: 'x', content: 'x' }] }),
    attemptsOn(endpoints.editSavedSnippet, { refused: [{ saved_snippet_id: snippet, title: 'x', content: 'x' }] }),
    attemptsOn(endpoints.deleteSavedSnippet, { refused: [{ saved_snippet_id: snippet }] }),
  ];
};
