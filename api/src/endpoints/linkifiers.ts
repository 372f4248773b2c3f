import Type from 'typebox';
import { list, text } from '../bounds.ts';
import { defineEndpoint, inPath, required } from '../contract.ts';
import { linkifier } from '../objects/linkifier.ts';

const area = 'Organization';
const pattern = required(text({ maxLength: 10_000 }), {
  description: 'A regular expression (RE2 syntax). Its named groups are the variables of the template',
});
const url_template = required(text({ maxLength: 10_000 }), { description: 'An RFC 6570 template' });
const filter_id = inPath(Type.Integer());

export const getLinkifiers = defineEndpoint({
  operationId: 'get-linkifiers',
  method: 'GET',
  path: '/realm/linkifiers',
  area,
  summary: 'List linkifiers in their order',
  authentication: 'required',
  parameters: {},
  response: Type.Object({ linkifiers: Type.Array(linkifier) }),
  errors: [],
});

export const reorderLinkifiers = defineEndpoint({
  operationId: 'reorder-linkifiers',
  method: 'PATCH',
  path: '/realm/linkifiers',
  area,
  summary: 'Change the order of linkifiers',
  authentication: 'required',
  parameters: { ordered_linkifier_ids: required(list(Type.Integer(), 1000)) },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const addLinkifier = defineEndpoint({
  operationId: 'add-linkifier',
  method: 'POST',
  path: '/realm/filters',
  area,
  summary: 'Add a linkifier',
  authentication: 'required',
  parameters: { pattern, url_template },
  response: Type.Object({ id: Type.Integer() }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'INVALID_FIELDS'],
});

export const updateLinkifier = defineEndpoint({
  operationId: 'update-linkifier',
  method: 'PATCH',
  path: '/realm/filters/{filter_id}',
  area,
  summary: 'Change a linkifier',
  authentication: 'required',
  parameters: { filter_id, pattern, url_template },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'INVALID_FIELDS'],
});

export const removeLinkifier = defineEndpoint({
  operationId: 'remove-linkifier',
  method: 'DELETE',
  path: '/realm/filters/{filter_id}',
  area,
  summary: 'Remove a linkifier',
  authentication: 'required',
  parameters: { filter_id },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});
