/** The sessions of browsers, for their user. An extension of the API: other clients need none of it. */
import Type from 'typebox';
import { text } from '../bounds.ts';
import { defineEndpoint, inPath } from '../contract.ts';

const area = 'Users';

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const session = Type.Object({
  session_id: Type.String({ description: 'Names the session. It is no credential' }),
  is_current: Type.Boolean({ description: 'Whether the session has sent this request' }),
  browser: nullableText('The name of the browser. Null: unknown'),
  system: nullableText('The name of the operating system. Null: unknown'),
  network: nullableText(
    'Where the session was used last: an IPv4 address or an IPv6 network (`2001:db8:1:2::/64`). Null: unknown',
  ),
  created_at: Type.Integer({ description: 'When the user logged in, in seconds since the epoch' }),
  last_used_at: Type.Integer({ description: 'When the session was used last, up to an hour too early' }),
});

export const getSessions = defineEndpoint({
  operationId: 'get-sessions',
  method: 'GET',
  path: '/users/me/sessions',
  area,
  summary: "Get the caller's sessions",
  description:
    'The browsers that are logged in to the account, the last used one first. Programs with an API key have no session.',
  authentication: 'required',
  parameters: {},
  response: Type.Object({ sessions: Type.Array(session) }),
  errors: [],
});

export const endSession = defineEndpoint({
  operationId: 'end-session',
  method: 'DELETE',
  path: '/users/me/sessions/{session_id}',
  area,
  summary: "End one of the caller's sessions",
  description: 'When the response arrives, every process refuses the session.',
  authentication: 'required',
  parameters: { session_id: inPath(text({ maxLength: 100, description: 'The session' })) },
  response: Type.Object({}),
  errors: ['RESOURCE_NOT_FOUND'],
});

export const endOtherSessions = defineEndpoint({
  operationId: 'end-other-sessions',
  method: 'DELETE',
  path: '/users/me/sessions',
  area,
  summary: "End the caller's other sessions",
  description:
    'All sessions of the account, except the one that sends the request. A program with an API key ends all.',
  authentication: 'required',
  parameters: {},
  response: Type.Object({}),
  errors: [],
});
