import Type from 'typebox';
import { defineEndpoint, inPath, required } from '../contract.ts';
import { MAX_PINNED_MESSAGES, MAX_PINS_IN_TOPICS, pinnedMessage, placeOfPin } from '../objects/pinned-message.ts';

const AREA = 'Pinned messages';

export const pinMessage = defineEndpoint({
  operationId: 'pin-message',
  method: 'POST',
  path: '/messages/{message_id}/pin',
  area: AREA,
  summary: 'Pin a message in its topic or its channel',
  description: `Of Heddle alone. A channel and a topic have at most ${MAX_PINNED_MESSAGES} each, and the topics of a channel at most ${MAX_PINS_IN_TOPICS} together. A message has one place.`,
  authentication: 'required',
  parameters: { message_id: inPath(Type.Integer()), place: required(placeOfPin) },
  response: Type.Object({}),
  errors: [],
});

export const unpinMessage = defineEndpoint({
  operationId: 'unpin-message',
  method: 'DELETE',
  path: '/messages/{message_id}/pin',
  area: AREA,
  summary: 'Unpin a message',
  description: 'Of Heddle alone. It succeeds also if the message is not pinned.',
  authentication: 'required',
  parameters: { message_id: inPath(Type.Integer()) },
  response: Type.Object({}),
  errors: [],
});

export const getPinnedMessages = defineEndpoint({
  operationId: 'get-pinned-messages',
  method: 'GET',
  path: '/streams/{stream_id}/pinned_messages',
  area: AREA,
  summary: 'List the pinned messages of a channel and its topics',
  description: 'Of Heddle alone. Only messages that the user can read, the last pinned first.',
  authentication: 'required',
  parameters: { stream_id: inPath(Type.Integer()) },
  response: Type.Object({ pinned_messages: Type.Array(pinnedMessage) }),
  errors: [],
});
