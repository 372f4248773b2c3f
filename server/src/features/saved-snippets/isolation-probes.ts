import * as endpoints from '@heddle/api/endpoints/saved-snippets.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, secret }) => {
  const texts = { title: secret('title'), content: secret('snippet') };
  const { saved_snippet_id: snippet } = await owner.ok('POST', '/saved_snippets', texts);
  return [
    probesOf(endpoints.getSavedSnippets, { contained: [{}] }),
    probesOf(endpoints.createSavedSnippet, { contained: [{ title: 'x', content: 'x' }] }),
    probesOf(endpoints.editSavedSnippet, { refused: [{ saved_snippet_id: snippet, title: 'x', content: 'x' }] }),
    probesOf(endpoints.deleteSavedSnippet, { refused: [{ saved_snippet_id: snippet }] }),
  ];
};
