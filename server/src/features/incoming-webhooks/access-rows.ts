import {
  checkWebhook,
  getIntegrationSample,
  getIntegrations,
  getIntegrationsPage,
  receiveWebhook,
} from '@heddle/api/endpoints/incoming-webhooks.ts';
import { type AccessRow, row } from '../../testing/access/access-row.ts';

const message = async () => Buffer.from('{"text": "hello"}');

export const rows: readonly AccessRow[] = [
  row(receiveWebhook, 'to the owner of the bot', '++++++ uuxu', () => ({ integration: 'slack_incoming' }), message),
  row(
    receiveWebhook,
    'in a channel with all users',
    '++++++ uuxu',
    ({ standing }) => ({ integration: 'slack_incoming', stream: String(standing.common), topic: 'x' }),
    message,
  ),
  row(
    receiveWebhook,
    'with a wrong key',
    'uuuuuu uuuu',
    () => ({ integration: 'slack_incoming', api_key: 'x' }),
    message,
  ),
  row(receiveWebhook, 'of an unknown integration', 'nnnnnn uuxu', () => ({ integration: 'unknown' }), message),
  row(checkWebhook, 'of a known integration', '++++++ hhhh', () => ({ integration: 'trello' })),
  row(checkWebhook, 'of an unknown integration', 'gggggg hhhh', () => ({ integration: 'unknown' })),
  row(getIntegrations, 'always', '++++++ uuxu'),
  row(getIntegrationSample, 'of a known integration', '++++++ uuxu', () => ({ integration: 'github' })),
  row(getIntegrationSample, 'of an unknown integration', 'nnnnnn uuxu', () => ({ integration: 'unknown' })),
  row(getIntegrationsPage, 'always', '++++++ ++++'),
];
