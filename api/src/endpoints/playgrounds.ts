import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath, required } from '../contract.ts';

const area = 'Organization';

export const addPlayground = defineEndpoint({
  operationId: 'add-code-playground',
  method: 'POST',
  path: '/realm/playgrounds',
  area,
  summary: 'Add a code playground',
  authentication: 'required',
  parameters: {
    name: required(text({ maxLength: 1000 })),
    pygments_language: required(text({ maxLength: 1000 })),
    url_template: required(text({ maxLength: 10_000 }), {
      description: 'An RFC 6570 template with the variable `code`',
    }),
  },
  response: Type.Object({ id: Type.Integer() }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'INVALID_FIELDS'],
});

export const removePlayground = defineEndpoint({
  operationId: 'remove-code-playground',
  method: 'DELETE',
  path: '/realm/playgrounds/{playground_id}',
  area,
  summary: 'Remove a code playground',
  authentication: 'required',
  parameters: { playground_id: inPath(Type.Integer()) },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});
