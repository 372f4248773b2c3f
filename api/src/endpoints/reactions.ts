import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath, optional, required } from '../contract.ts';

const short = () => text({ maxLength: 200 });

const namespace = {
  emoji_code: optional(short(), {
    description:
      'The emoji within its namespace. The code of an existing reaction adds the caller to that reaction, regardless of its name',
  }),
  reaction_type: optional(short(), {
    description: '`unicode_emoji`, `realm_emoji` or `service_extra_emoji` (older name: `zulip_extra_emoji`)',
  }),
};

export const addReaction = defineEndpoint({
  operationId: 'add-reaction',
  method: 'POST',
  path: '/messages/{message_id}/reactions',
  area: 'Messages',
  summary: 'Add an emoji reaction',
  authentication: 'required',
  parameters: { message_id: inPath(Type.Integer()), emoji_name: required(short()), ...namespace },
  response: Type.Object({}),
  errors: ['REACTION_ALREADY_EXISTS'],
});

export const removeReaction = defineEndpoint({
  operationId: 'remove-reaction',
  method: 'DELETE',
  path: '/messages/{message_id}/reactions',
  area: 'Messages',
  summary: 'Remove an emoji reaction of the caller',
  authentication: 'required',
  parameters: { message_id: inPath(Type.Integer()), emoji_name: optional(short()), ...namespace },
  response: Type.Object({}),
  errors: ['REACTION_DOES_NOT_EXIST'],
});
