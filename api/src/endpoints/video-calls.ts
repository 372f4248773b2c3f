import Type from 'typebox';
import { text } from '../bounds.ts';
import { defaulted, defineEndpoint, required } from '../contract.ts';

const area = 'Video calls';

export const createBigBlueButtonCall = defineEndpoint({
  operationId: 'create-big-blue-button-video-call',
  method: 'GET',
  path: '/calls/bigbluebutton/create',
  area,
  summary: 'Get a link to a new meeting on the BigBlueButton server',
  description:
    'The meeting begins when a user opens the link. The caller is the moderator of the meeting. Fails if the operator did not configure ' +
    'BigBlueButton.',
  authentication: 'required',
  parameters: {
    meeting_name: required(text({ maxLength: 256 })),
    voice_only: defaulted(Type.Boolean(), false, { description: 'Whether the meeting disables cameras' }),
  },
  response: Type.Object({ url: Type.String({ description: 'A path of this organization' }) }),
  errors: ['BAD_REQUEST'],
});

export const joinBigBlueButtonCall = defineEndpoint({
  operationId: 'join-big-blue-button-video-call',
  method: 'GET',
  path: '/calls/bigbluebutton/join',
  outsideApi: true,
  area,
  summary: 'Join a meeting on the BigBlueButton server',
  description: 'Redirects to the meeting. Without a session it redirects to the login page.',
  authentication: 'optional',
  session: true,
  parameters: { bigbluebutton: required(text({ maxLength: 2000 }), { description: 'The signed data of the link' }) },
  response: { kind: 'page' },
  errors: ['BAD_REQUEST'],
});
