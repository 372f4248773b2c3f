import * as endpoints from '@heddle/api/endpoints/saved-snippets.ts';
import { readValue } from '../../db/prepared.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { deleteSnippet, editSnippet, saveSnippet } from './actions.ts';
import { selectSnippets } from './queries.ts';

export function savedSnippetRoutes(app: AppContext): readonly HeddleRoute[] {
  return [
    route(endpoints.getSavedSnippets, {}, async ({ organization, caller }) => ({
      saved_snippets: await readValue(app.db, selectSnippets(organization.id, caller.id)),
    })),

    route(endpoints.createSavedSnippet, {}, async ({ parameters, organization, caller }) => ({
      saved_snippet_id: await organization.transact(caller, 'optimistic', (change, user) =>
        saveSnippet(change, user, parameters),
      ),
    })),

    route(endpoints.editSavedSnippet, {}, async ({ parameters, organization, caller }) => {
      const { saved_snippet_id: id, ...texts } = parameters;
      await organization.transact(caller, 'optimistic', (change, user) => editSnippet(change, user, id, texts));
      return {};
    }),

    route(endpoints.deleteSavedSnippet, {}, async ({ parameters, organization, caller }) => {
      await organization.transact(caller, 'optimistic', (change, user) =>
        deleteSnippet(change, user, parameters.saved_snippet_id),
      );
      return {};
    }),
  ];
}
