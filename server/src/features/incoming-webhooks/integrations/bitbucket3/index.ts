import type { Integration } from '../../integration.ts';
import { hmacIn } from '../../signatures.ts';
import { IGNORED, renderServerEvent, SERVER_EVENTS } from './events.ts';

/** Bitbucket on a company's own servers, today called Bitbucket Data Center. Its requests differ from those of Bitbucket Cloud. */
export const bitbucket3: Integration = {
  name: 'bitbucket3',
  otherNames: ['bitbucket_server'],
  title: 'Bitbucket Server',
  about: 'Version control',
  setup:
    'In the repository: Repository settings, Webhooks, Create webhook. The secret is the webhook_secret of the URL.',
  events: SERVER_EVENTS,
  ignored: IGNORED,
  isSigned: hmacIn('x-hub-signature', 'sha256='),
  render: renderServerEvent,
};
