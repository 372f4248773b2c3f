import Type from 'typebox';
import { list, text } from '../bounds.ts';
import { defaulted, defineEndpoint, inPath, optional } from '../contract.ts';

const area = 'Incoming webhooks';
const events = list(text({ maxLength: 100 }), 100);
const bot = 'Of the bot. For `zapier`, if the payload has the `type` `auth`. Such a request causes no message';
const ok = 'For `slack_incoming`: clients of Slack read it';

const integrationName = inPath(text({ maxLength: 60 }), { description: 'The name of the integration, like `github`' });
const apiKey = optional(text({ maxLength: 200 }), {
  description: 'The API key of a bot. Without it, the request needs the usual credentials',
});

export const receiveWebhook = defineEndpoint({
  operationId: 'receive-webhook',
  method: 'POST',
  path: '/external/{integration}',
  area,
  summary: 'Post a message about an event of another service',
  description:
    'The other service sends its own format. The page `/integrations/` lists the services. All parameters are in the URL. Events that the integration ' +
    'does not know are refused. Events that it ignores on purpose succeed without a message.',
  authentication: 'required',
  forIncomingWebhooks: true,
  keyInUrl: 'bot',
  parameters: {
    integration: integrationName,
    api_key: apiKey,
    stream: optional(text({ maxLength: 1000 }), {
      description: 'The name or the ID of a channel. Without it, the bot sends a direct message to its owner',
    }),
    topic: optional(text({ maxLength: 1000 }), { description: 'The default is a topic that the integration chooses' }),
    only_events: optional(events, {
      description: 'Only these events cause a message. `*` in a name stands for any characters',
    }),
    exclude_events: optional(events, { description: 'These events cause no message. They prevail over `only_events`' }),
    webhook_secret: optional(text({ maxLength: 500 }), {
      description: 'The secret with which the service signs its requests. Requests without a valid signature then fail',
    }),
    branches: optional(text({ maxLength: 1000 }), {
      description: 'For version control: pushes to other branches cause no message. Names are separated by commas',
    }),
    ignore_private_repositories: defaulted(Type.Boolean(), false, {
      description: 'For GitHub: events of private repositories cause no message',
    }),
    include_repository_name: defaulted(Type.Boolean(), false, {
      description: 'For GitHub: messages about issues and pull requests name the repository',
    }),
    use_merge_request_title: defaulted(Type.Boolean(), true, {
      description: 'For GitLab: topics of merge requests contain the title',
    }),
    name: defaulted(text({ maxLength: 100 }), 'instance', {
      description: 'For Alertmanager: the label that names what the alert is about',
    }),
    desc: defaulted(text({ maxLength: 100 }), 'alertname', {
      description: 'For Alertmanager: the label or annotation that describes the alert',
    }),
  },
  body: { takes: 'protocol', contentTypes: ['application/json', 'application/x-www-form-urlencoded'] },
  response: Type.Object({
    ok: Type.Optional(Type.Boolean({ description: ok })),
    full_name: Type.Optional(Type.String({ description: bot })),
    email: Type.Optional(Type.String({ description: bot })),
    id: Type.Optional(Type.Integer({ description: bot })),
  }),
  errors: ['RESOURCE_NOT_FOUND', 'PAYLOAD_TOO_LARGE', 'STREAM_DOES_NOT_EXIST'],
  errorFields: {
    ok: Type.Optional(Type.Boolean({ description: ok })),
    error: Type.Optional(Type.String({ description: 'For `slack_incoming`: the same as `msg`' })),
  },
});

const integration = Type.Object({
  name: Type.String(),
  title: Type.String(),
  category: Type.String(),
  summary: Type.String(),
  steps: Type.Array(Type.String(), {
    description: 'What to do at the other service, one after the other, with the URL at hand',
  }),
  template: Type.String({
    description: 'A body, a script or settings to paste there; empty if the service needs none',
  }),
  is_signed: Type.Boolean({ description: 'Whether the URL can have `webhook_secret`' }),
  events: Type.Array(Type.String(), {
    description: 'The events that cause messages, for the filters of the URL; empty if the service has one kind only',
  }),
  ignored_events: Type.Array(
    Type.Object({
      name: Type.String(),
      reason: Type.String(),
    }),
    { description: 'The events that cause no message on purpose, each with a sentence that says why' },
  ),
});

export const checkWebhook = defineEndpoint({
  operationId: 'check-webhook',
  method: 'HEAD',
  path: '/external/{integration}',
  area,
  summary: 'Check the URL of a webhook',
  description: 'Some services, such as Trello, send this request before they accept a URL. It causes no message.',
  authentication: 'required',
  forIncomingWebhooks: true,
  keyInUrl: 'bot',
  parameters: { integration: integrationName, api_key: apiKey },
  response: Type.Object({}),
  errors: ['RESOURCE_NOT_FOUND'],
});

export const getIntegrations = defineEndpoint({
  operationId: 'get-integrations',
  method: 'GET',
  path: '/integrations',
  area,
  summary: 'List the integrations',
  description:
    'In the order of their titles, in the language that `language` names. The reference has no such endpoint.',
  authentication: 'required',
  parameters: {},
  response: Type.Object({
    language: Type.String(),
    integrations: Type.Array(integration),
  }),
  errors: [],
});

export const getIntegrationSample = defineEndpoint({
  operationId: 'get-integration-sample',
  method: 'GET',
  path: '/integrations/{integration}/sample',
  area,
  summary: 'Get an example request of an integration',
  description: 'A recorded request in JSON, without a signature, for the URL of a bot.',
  authentication: 'required',
  parameters: { integration: integrationName },
  response: Type.Object({
    headers: Type.Record(Type.String(), Type.String()),
    body: Type.String(),
  }),
  errors: ['RESOURCE_NOT_FOUND'],
});

export const getIntegrationsPage = defineEndpoint({
  operationId: 'get-integrations-page',
  method: 'GET',
  path: '/integrations/',
  outsideApi: true,
  area,
  summary: 'The page that lists the integrations with their URLs',
  description: 'With a session, the URLs can contain the API key of an incoming webhook bot of the user.',
  authentication: 'none',
  parameters: {
    bot: optional(text({ maxLength: 20 }), { description: 'The ID of the bot' }),
    stream: optional(text({ maxLength: 1000 }), { description: 'The name of the channel' }),
    topic: optional(text({ maxLength: 1000 })),
  },
  secrets: 'always',
  response: { kind: 'page' },
  errors: [],
});
