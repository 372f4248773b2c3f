import { createHmac } from 'node:crypto';
import { type Delivery, type Integration, type Outcome, renderedBy, type Signed } from '../../integration.ts';
import { isEqual } from '../../signatures.ts';
import { BOARD_ACTIONS } from './boards.ts';
import { CARD_ACTIONS } from './cards.ts';
import { gallery } from './gallery.ts';
import { IGNORED } from './ignored.ts';

const ACTIONS: ReadonlyMap<string, (delivery: Delivery) => Outcome> = new Map([...CARD_ACTIONS, ...BOARD_ACTIONS]);

/** https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/ */
export const trello: Integration = {
  name: 'trello',
  title: 'Trello',
  gallery,
  events: [...ACTIONS.keys()],
  ignored: IGNORED,
  isSigned,
  render: (delivery) => renderedBy(delivery.payload.need('action', 'type'), ACTIONS, IGNORED, delivery),
};

/** The signature is that of the body and the URL. */
function isSigned({ header, body, secret, url }: Signed): boolean {
  const expected = createHmac('sha1', secret).update(body).update(url).digest('base64');
  return isEqual(header('x-trello-webhook'), expected);
}
