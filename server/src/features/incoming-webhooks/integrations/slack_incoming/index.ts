import { badRequest } from '@heddle/api/errors.ts';
import type { Integration } from '../../integration.ts';
import { joined, type Markdown } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { attachmentText, blockText } from './blocks.ts';
import { fromSlack } from './mrkdwn.ts';

const MAX_PARTS = 50;

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
  const blocks = payload.list('blocks').slice(0, MAX_PARTS).map(blockText);
  const attachments = payload.list('attachments').slice(0, MAX_PARTS).map(attachmentText);
  const hasBlocks = blocks.some((block) => block.toString() !== '');
  return joined([...(hasBlocks ? blocks : [fromSlack(payload.text('text'))]), ...attachments], '\n\n');
}
