import { ASKS_FOR_BOT, type Integration } from '../../integration.ts';
import { writtenMessage } from '../../written.ts';
import { gallery } from './gallery.ts';

/** What the Zulip app of Zapier and its webhooks send. The app first asks whose key it has, and names the connection after the bot. */
export const zapier: Integration = {
  name: 'zapier',
  title: 'Zapier',
  gallery,
  events: [],
  ignored: {},
  render: ({ payload }) => (payload.text('type') === 'auth' ? ASKS_FOR_BOT : writtenMessage(payload)),
};
