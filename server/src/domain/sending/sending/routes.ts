import { renderMessage, sendMessage } from '@heddle/api/endpoints/messages.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { turn } from '../../../http/limits/turns.ts';
import { renderMessage as render } from '../../../markup/index.ts';
import { NO_FILES } from '../../uploads/links.ts';
import { echoOf, MessageActions } from './actions.ts';
import { checkedContent } from './checking.ts';
import { readsWhatItSends } from './clients.ts';
import { linkedTopics } from './linked-topics.ts';
import { markupLookup } from './markup-lookup.ts';
import { isLong } from './prepare.ts';
import { addressOf } from './recipients.ts';
import { linkTargetsIn, renderingIn } from './rendering.ts';
import { RepeatedRequests } from './repeated-requests.ts';

export function sendingRoutes(app: AppContext): readonly HeddleRoute[] {
  const actions = new MessageActions(app);
  const repeated = new RepeatedRequests();
  return [
    route(sendMessage, {}, async ({ parameters, organization, caller, client }) => {
      const request = {
        address: addressOf(parameters.type, parameters.to, parameters.topic),
        content: parameters.content,
        client,
        readBySender: parameters.read_by_sender ?? readsWhatItSends(client),
        widget: parameters.widget_content,
        echo: echoOf(parameters.queue_id, parameters.local_id),
      };
      const sender = { organizationId: organization.id, userId: caller.id };
      const send = () => actions.send(organization, caller, request);
      const { messageId, newPolicy } = await repeated.once(sender, request, send);
      return { id: messageId, ...(newPolicy !== undefined && { automatic_new_visibility_policy: newPolicy }) };
    }),

    route(renderMessage, {}, async ({ parameters, organization: { directory }, caller }) => {
      if (parameters.content.trim() === '') return { rendered: '' };
      const content = checkedContent(parameters.content);
      if (isLong(content)) await turn();
      const options = renderingIn(directory, caller, linkTargetsIn(app, directory));
      const topics = await linkedTopics(app.db, directory, caller, content);
      return { rendered: render(content, markupLookup(directory, caller, NO_FILES, topics), options).html };
    }),
  ];
}
