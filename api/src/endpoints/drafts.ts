import Type from 'typebox';
import { list } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, required } from '../contract.ts';
import { draft, writtenDraft } from '../objects/draft.ts';

const AREA = 'Drafts';

/** Maximum number of drafts in a request. */
const MAX_DRAFTS_PER_REQUEST = 100;

const id = inPath(Type.Integer());

export const getDrafts = defineEndpoint({
  operationId: 'get-drafts',
  method: 'GET',
  path: '/drafts',
  area: AREA,
  summary: 'List the drafts of the caller',
  description: 'The last edited draft is last.',
  authentication: 'required',
  parameters: {},
  response: Type.Object({ count: Type.Integer(), drafts: Type.Array(draft) }),
  errors: [],
});

export const createDrafts = defineEndpoint({
  operationId: 'create-drafts',
  method: 'POST',
  path: '/drafts',
  area: AREA,
  summary: 'Create drafts',
  description: 'The server creates all drafts or none. A user has at most 500 drafts with a total of 1 MB.',
  authentication: 'required',
  parameters: { drafts: defaulted(list(writtenDraft, MAX_DRAFTS_PER_REQUEST), []) },
  response: Type.Object({ ids: Type.Array(Type.Integer(), { description: 'The IDs in the order of the drafts' }) }),
  errors: [],
});

export const editDraft = defineEndpoint({
  operationId: 'edit-draft',
  method: 'PATCH',
  path: '/drafts/{draft_id}',
  area: AREA,
  summary: 'Replace a draft',
  authentication: 'required',
  parameters: { draft_id: id, draft: required(writtenDraft) },
  response: Type.Object({}),
  errors: ['RESOURCE_NOT_FOUND'],
});

export const deleteDraft = defineEndpoint({
  operationId: 'delete-draft',
  method: 'DELETE',
  path: '/drafts/{draft_id}',
  area: AREA,
  summary: 'Delete a draft',
  authentication: 'required',
  parameters: { draft_id: id },
  response: Type.Object({}),
  errors: ['RESOURCE_NOT_FOUND'],
});
