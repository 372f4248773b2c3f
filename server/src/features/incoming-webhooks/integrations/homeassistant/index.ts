import type { Integration } from '../../integration.ts';
import { bold, cut, joined, withFormatting } from '../../markdown.ts';
import { isBearer } from '../../signatures.ts';
import { gallery } from './gallery.ts';

/** As much as a message can show. */
const MAX_TEXT_LENGTH = 10_000;

/** The body is that of a `notify` service with the platform `rest` (https://www.home-assistant.io/integrations/notify.rest/). */
export const homeassistant: Integration = {
  name: 'homeassistant',
  title: 'Home Assistant',
  gallery,
  events: [],
  ignored: {},
  isSigned: isBearer,
  render({ payload }) {
    const title = payload.text('title');
    const text = withFormatting(cut(payload.need('message').trim(), MAX_TEXT_LENGTH));
    return {
      event: 'notification',
      topic: cut(payload.text('topic') || payload.text('data', 'topic') || 'Home Assistant', 200),
      content: joined([bold(title), text], '\n\n'),
    };
  },
};
