import Type from 'typebox';
import { MAX_CONTENT_LENGTH, text } from '../bounds.ts';
import { defineEndpoint, inPath, optional, required } from '../contract.ts';
import { savedSnippet } from '../objects/saved-snippet.ts';

const AREA = 'Saved snippets';

const title = text({ description: 'At most 60 characters. The server trims it' });
const content = text({ maxLength: MAX_CONTENT_LENGTH, description: 'Markdown. The server trims it' });
const id = inPath(Type.Integer());

export const getSavedSnippets = defineEndpoint({
  operationId: 'get-saved-snippets',
  method: 'GET',
  path: '/saved_snippets',
  area: AREA,
  summary: 'List the saved snippets of the caller',
  authentication: 'required',
  parameters: {},
  response: Type.Object({ saved_snippets: Type.Array(savedSnippet) }),
  errors: [],
});

export const createSavedSnippet = defineEndpoint({
  operationId: 'create-saved-snippet',
  method: 'POST',
  path: '/saved_snippets',
  area: AREA,
  summary: 'Save a snippet',
  description: 'A user has at most 500 snippets with a total of 1 MB.',
  authentication: 'required',
  parameters: { title: required(title), content: required(content) },
  response: Type.Object({ saved_snippet_id: Type.Integer() }),
  errors: [],
});

export const editSavedSnippet = defineEndpoint({
  operationId: 'edit-saved-snippet',
  method: 'PATCH',
  path: '/saved_snippets/{saved_snippet_id}',
  area: AREA,
  summary: 'Change the title or the content of a saved snippet',
  authentication: 'required',
  parameters: { saved_snippet_id: id, title: optional(title), content: optional(content) },
  response: Type.Object({}),
  errors: ['RESOURCE_NOT_FOUND'],
});

export const deleteSavedSnippet = defineEndpoint({
  operationId: 'delete-saved-snippet',
  method: 'DELETE',
  path: '/saved_snippets/{saved_snippet_id}',
  area: AREA,
  summary: 'Delete a saved snippet',
  authentication: 'required',
  parameters: { saved_snippet_id: id },
  response: Type.Object({}),
  errors: ['RESOURCE_NOT_FOUND'],
});
