import type { Presenter } from '../../directory/presenters.ts';
import type { SavedSnippet } from './queries.ts';

/** The bodies of `saved_snippets` events in the log. */
export type SavedSnippetEvent =
  | { readonly op: 'add' | 'update'; readonly snippet: SavedSnippet }
  | { readonly op: 'remove'; readonly snippetId: number };

export const savedSnippetPresenter: Presenter = {
  present(event) {
    const body = event.body as SavedSnippetEvent;
    if (body.op === 'remove') return { type: 'saved_snippets', op: body.op, saved_snippet_id: body.snippetId };
    return { type: 'saved_snippets', op: body.op, saved_snippet: body.snippet };
  },
};
