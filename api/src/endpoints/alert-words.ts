import Type from 'typebox';
import { list, text } from '../bounds.ts';
import { defineEndpoint, required } from '../contract.ts';

const common = {
  path: '/users/me/alert_words',
  area: 'Users',
  authentication: 'required',
  response: Type.Object({ alert_words: Type.Array(Type.String(), { description: 'All alert words of the caller' }) }),
  errors: [],
} as const;

/** Maximum number of words in a request. */
const MAX_WORDS_PER_REQUEST = 1000;

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
  description:
    'Messages with an alert word have the flag `has_alert_word`, unless the word is in a code block. A user has at most 100 alert words.',
  parameters: { alert_words: required(list(text({ maxLength: 100 }), MAX_WORDS_PER_REQUEST)) },
});

export const removeAlertWords = defineEndpoint({
  ...common,
  operationId: 'remove-alert-words',
  method: 'DELETE',
  summary: 'Remove alert words, regardless of case',
  parameters: { alert_words: required(list(text(), MAX_WORDS_PER_REQUEST)) },
});
