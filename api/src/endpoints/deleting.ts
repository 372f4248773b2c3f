import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath, required } from '../contract.ts';

export const deleteMessage = defineEndpoint({
  operationId: 'delete-message',
  method: 'DELETE',
  path: '/messages/{message_id}',
  area: 'Messages',
  summary: 'Delete a message for everybody and for good',
  authentication: 'required',
  parameters: { message_id: inPath(Type.Integer()) },
  response: Type.Object({}),
  errors: [],
});

export const deleteTopic = defineEndpoint({
  operationId: 'delete-topic',
  method: 'POST',
  path: '/streams/{stream_id}/delete_topic',
  area: 'Channels',
  summary: 'Delete the messages of a topic that the caller may read, newest first',
  authentication: 'required',
  parameters: {
    stream_id: inPath(Type.Integer()),
    topic_name: required(text(), { description: 'The display name of the empty topic stands for it' }),
  },
  response: Type.Object({
    complete: Type.Boolean({ description: 'False where the time was not enough for all: the client asks again' }),
  }),
  errors: ['REQUEST_VARIABLE_MISSING', 'UNAUTHORIZED_PRINCIPAL'],
});
