import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath, required } from '../contract.ts';

export const deleteMessage = defineEndpoint({
  operationId: 'delete-message',
  method: 'DELETE',
  path: '/messages/{message_id}',
  area: 'Messages',
  summary: 'Delete a message permanently for all users',
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
  summary: 'Delete the accessible messages of a topic, newest first',
  authentication: 'required',
  parameters: {
    stream_id: inPath(Type.Integer()),
    topic_name: required(text(), { description: 'The display name of the empty topic also identifies that topic' }),
  },
  response: Type.Object({
    complete: Type.Boolean({
      description: 'False if messages remain because of a timeout. The client then repeats the request',
    }),
  }),
  errors: ['REQUEST_VARIABLE_MISSING', 'UNAUTHORIZED_PRINCIPAL'],
});
