import Type from 'typebox';
import { list, MAX_CONTENT_LENGTH, text } from '../bounds.ts';
import { defineEndpoint, optional, required } from '../contract.ts';

const area = 'Users';
/** Maximum number of entries of an account, and of a request. */
export const MAX_STORED_ENTRIES = 10_000;
const keys = optional(list(text({ maxLength: 1000 }), MAX_STORED_ENTRIES), { description: 'The default is all keys' });

export const getBotStorage = defineEndpoint({
  operationId: 'get-bot-storage',
  method: 'GET',
  path: '/bot_storage',
  area,
  summary: 'Get stored texts of the caller, usually a bot',
  authentication: 'required',
  parameters: { keys },
  response: Type.Object({ storage: Type.Record(Type.String(), Type.String()) }),
  errors: [],
});

export const updateBotStorage = defineEndpoint({
  operationId: 'update-bot-storage',
  method: 'PUT',
  path: '/bot_storage',
  area,
  summary: 'Store texts by key. Other keys do not change',
  authentication: 'required',
  parameters: {
    storage: required(
      Type.Record(Type.String(), text({ maxLength: MAX_CONTENT_LENGTH }), { maxProperties: MAX_STORED_ENTRIES }),
    ),
  },
  response: Type.Object({}),
  errors: [],
});

export const removeBotStorage = defineEndpoint({
  operationId: 'remove-bot-storage',
  method: 'DELETE',
  path: '/bot_storage',
  area,
  summary: 'Remove stored texts',
  authentication: 'required',
  parameters: { keys },
  response: Type.Object({}),
  errors: [],
});
