import { badRequest } from '@heddle/api/errors.ts';
import type { Integration } from '../../integration.ts';
import { joined, type Markdown } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { attachmentText, blockText } from './blocks.ts';
import { fromSlack } from './mrkdwn.ts';

const MAX_PARTS = 50;
/** Characters. Further parts are left out: a message has 10,000. */
const MAX_CONTENT_LENGTH = 20_000;

/** For programs that can post to Slack (https://api.slack.com/messaging/webhooks). */
export const slackIncoming: Integration = {
  name: 'slack_incoming',
  title: 'Slack-compatible',
  about: 'Any program that can post to Slack',
  setup: 'Where the program asks for the URL of a Slack webhook.',
  events: [],
  render({ payload }) {
    const content = contentOf(payload);
    if (content.toString().trim() === '')
      throw badRequest("Malformed payload: 'text', 'blocks' or 'attachments' is missing");
    return { event: 'message', topic: payload.text('channel').replace(/^[#@]/, '') || 'integration', content };
  },
};

/** Blocks replace the text: programs then send the text for notifications. */
function contentOf(payload: Payload): Markdown {
  const blocks = rendered(payload.list('blocks'), blockText);
  const attachments = rendered(payload.list('attachments'), attachmentText);
  const hasBlocks = blocks.some((block) => block.toString() !== '');
  return joined([...(hasBlocks ? blocks : [fromSlack(payload.text('text'))]), ...attachments], '\n\n');
}

function rendered(parts: readonly Payload[], render: (part: Payload) => Markdown): readonly Markdown[] {
  let length = 0;
  const results: Markdown[] = [];
  for (const part of parts.slice(0, MAX_PARTS)) {
    if (length > MAX_CONTENT_LENGTH) break;
    const result = render(part);
    length += result.toString().length;
    results.push(result);
  }
  return results;
}
