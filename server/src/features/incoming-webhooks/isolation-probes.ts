import {
  checkWebhook,
  getIntegrationSample,
  getIntegrations,
  getIntegrationsPage,
  receiveWebhook,
} from '@heddle/api/endpoints/incoming-webhooks.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = async ({ owner, publicChannel, privateChannel, secret }) => {
  const theirs = { full_name: secret('webhook bot'), short_name: 'hooks', bot_type: 2 };
  const { api_key, user_id } = await owner.ok('POST', '/bots', theirs);
  const slack = { integration: 'slack_incoming' };
  const channels = [publicChannel, privateChannel].flatMap(({ id, name }) => [name, String(id + 1000)]);
  return [
    probesOf(receiveWebhook, {
      refused: [
        { ...slack, api_key },
        { ...slack, api_key, stream: publicChannel.name },
        ...channels.map((channel) => ({ ...slack, stream: channel, topic: 'theirs' })),
      ],
      harmless: [
        'only_events',
        'exclude_events',
        'webhook_secret',
        'branches',
        'ignore_private_repositories',
        'include_repository_name',
        'use_merge_request_title',
        'name',
        'desc',
      ],
    }),
    probesOf(checkWebhook, { refused: [{ integration: 'trello', api_key }] }),
    probesOf(getIntegrations, { contained: [{}] }),
    probesOf(getIntegrationSample, { contained: [{ integration: 'github' }] }),
    probesOf(getIntegrationsPage, { contained: [{ bot: user_id, stream: privateChannel.name }], harmless: ['topic'] }),
  ];
};
