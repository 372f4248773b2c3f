import { badRequest } from '@heddle/api/errors.ts';
import { mrkdwnOfMessage } from '../../../../markup/slack/messages.ts';
import { objectOf } from '../../../../markup/slack/objects.ts';
import type { Integration } from '../../integration.ts';
import { truncated } from '../../markdown.ts';
import { gallery } from './gallery.ts';
import { fromSlack } from './mrkdwn.ts';

/** For programs that can post to Slack (https://api.slack.com/messaging/webhooks). */
export const slackIncoming: Integration = {
  name: 'slack_incoming',
  title: 'Slack-compatible',
  gallery,
  events: [],
  ignored: {},
  responseFields: (error) => (error === undefined ? { ok: true } : { ok: false, error }),
  render({ payload }) {
    const content = fromSlack(truncated(mrkdwnOfMessage(objectOf(payload.raw), false)));
    if (content.toString().trim() === '')
      throw badRequest("Malformed payload: 'text', 'blocks' or 'attachments' is missing");
    return { event: 'message', topic: payload.text('channel').replace(/^[#@]/, '') || 'integration', content };
  },
};
