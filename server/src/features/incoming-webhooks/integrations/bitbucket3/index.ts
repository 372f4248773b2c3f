import type { Integration } from '../../integration.ts';
import { hmacIn } from '../../signatures.ts';
import { IGNORED, renderServerEvent, SERVER_EVENTS } from './events.ts';
import { gallery } from './gallery.ts';

/** Bitbucket on a company's own servers, today called Bitbucket Data Center. Its requests differ from those of Bitbucket Cloud. */
export const bitbucket3: Integration = {
  name: 'bitbucket3',
  otherNames: ['bitbucket_server'],
  title: 'Bitbucket Server',
  gallery,
  events: SERVER_EVENTS,
  ignored: IGNORED,
  escapesTwice: true,
  isSigned: hmacIn('x-hub-signature', 'sha256='),
  render: renderServerEvent,
};
