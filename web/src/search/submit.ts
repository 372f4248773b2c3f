import { getMessages } from '@heddle/client/calls/operations.ts';
import { isContradictory } from '@heddle/client/model/messages/contradictory.ts';
import { canonicalNarrow, type Narrow, wireNarrow } from '@heddle/client/model/messages/narrow.ts';
import { spectatorNarrow } from '@heddle/client/model/messages/server-calls.ts';
import type { App } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { toasts } from '../base/toasts.ts';
import { rememberSearch } from './recent-searches.ts';
import { closeSearch } from './search-store.ts';

/** Shows what the search finds. A date becomes the first message since then. */
export async function submitSearch(app: App, terms: Narrow, text: string): Promise<void> {
  const words = text.trim();
  const wanted: Narrow = words === '' ? terms : [...terms, { operator: 'search', operand: words }];
  if (wanted.length > 0) rememberSearch(app.model.ownId, wanted);
  closeSearch();
  if (wanted.length === 0) return app.navigation.go({ view: 'feed' });
  try {
    app.navigation.go({ view: 'narrow', narrow: await withoutDates(app, wanted) });
  } catch {
    toasts.show({ text: t('The messages of this date could not be found. Try again.'), kind: 'error', key: 'search' });
  }
}

async function withoutDates({ connection, model }: App, narrow: Narrow): Promise<Narrow> {
  const date = narrow.find(({ operator, operand }) => operator === 'near' && typeof operand === 'string')?.operand;
  if (typeof date !== 'string') return narrow;
  const others = narrow.filter(({ operator }) => operator !== 'near');
  // The server refuses it. The view says why.
  if (isContradictory(others)) return others;
  const canonical = canonicalNarrow(others, model.ownId);
  const answer = await getMessages(connection, {
    anchor: 'date',
    // The first moment of the day, where the user is.
    anchor_date: new Date(`${date}T00:00`).toISOString(),
    num_before: 1,
    num_after: 1,
    narrow: wireNarrow(model.account.isSpectator ? spectatorNarrow(canonical) : canonical),
  });
  const message = answer.messages.find(({ id }) => id === answer.anchor) ?? answer.messages.at(-1);
  return message === undefined ? others : [...others, { operator: 'near', operand: message.id }];
}
