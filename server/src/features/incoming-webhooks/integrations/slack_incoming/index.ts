import { badRequest } from '@heddle/api/errors.ts';
import { mrkdwnOfMessage } from '../../../../markup/slack/messages.ts';
import { objectOf } from '../../../../markup/slack/objects.ts';
import type { Integration } from '../../integration.ts';
import { truncated } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { gallery } from './gallery.ts';
import { fromSlack } from './mrkdwn.ts';

/** Some programs pass on an event of Slack: the message is in it, and that of an edit is once more in it. */
const PLACES = [[], ['message'], ['event', 'message'], ['event']] as const;

function textIn(payload: Payload): string {
  const texts = PLACES.map((path) => mrkdwnOfMessage(objectOf(payload.at(...path).raw), false));
  return texts.find((text) => text.trim() !== '') ?? '';
}

/** For programs that can post to Slack (https://api.slack.com/messaging/webhooks). */
export const slackIncoming: Integration = {
  name: 'slack_incoming',
  title: 'Slack-compatible',
  gallery,
  events: [],
  ignored: {},
  responseFields: (error) => (error === undefined ? { ok: true } : { ok: false, error }),
  render({ payload }) {
    const content = fromSlack(truncated(textIn(payload)));
    if (content.toString().trim() === '')
      throw badRequest("Malformed payload: 'text', 'blocks' or 'attachments' is missing");
    return { event: 'message', topic: payload.text('channel').replace(/^[#@]/, '') || 'integration', content };
  },
};
