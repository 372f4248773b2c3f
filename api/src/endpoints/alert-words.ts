import Type from 'typebox';
import { list, text } from '../bounds.ts';
import { defineEndpoint, required } from '../contract.ts';

const common = {
  path: '/users/me/alert_words',
  area: 'Users',
  authentication: 'required',
  response: Type.Object({ alert_words: Type.Array(Type.String(), { description: "All of the caller's" }) }),
  errors: [],
} as const;

/** So many words one request can name. */
const MOST_NAMED = 1000;

export const getAlertWords = defineEndpoint({
  ...common,
  operationId: 'get-alert-words',
  method: 'GET',
  summary: "List the caller's alert words",
  parameters: {},
});

export const addAlertWords = defineEndpoint({
  ...common,
  operationId: 'add-alert-words',
  method: 'POST',
  summary: 'Add alert words',
  description: 'Messages that hold one of them get the flag `has_alert_word`. A user has at most 100.',
  parameters: { alert_words: required(list(text({ maxLength: 100 }), MOST_NAMED)) },
});

export const removeAlertWords = defineEndpoint({
  ...common,
  operationId: 'remove-alert-words',
  method: 'DELETE',
  summary: 'Remove alert words, whichever case',
  parameters: { alert_words: required(list(text(), MOST_NAMED)) },
});
