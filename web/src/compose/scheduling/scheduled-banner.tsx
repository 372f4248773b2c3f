import type { Place } from '@heddle/client/model/messages/places.ts';
import { keyOf } from '@heddle/client/model/messages/places.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatDateTime } from '../../base/i18n-formats.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Banner } from '../../design/banner.tsx';
import { keyOfTarget, targetOfDraft } from '../target/target.ts';

/** Says that messages to this conversation are scheduled, with a link to their list. */
export function ScheduledBanner({ place }: { readonly place: Place }): ReactNode {
  const { model, navigation } = useApp();
  useChanges(model.scheduledMessages.changes);
  const key = keyOf(place);
  const here = model.scheduledMessages.soonestFirst.filter(
    ({ target, hasFailed }) => !hasFailed && keyOfTarget(targetOfDraft(target), model.ownId) === key,
  );
  const [next] = here;
  if (next === undefined) return null;
  const time = formatDateTime(new Date(next.deliverAt * 1000));
  return (
    <Banner action={<a href={navigation.hashOf({ view: 'scheduled' })}>{t('Show')}</a>}>
      {t(
        '{count, plural, one {A message to this conversation is scheduled for {time}.} other {# messages to this conversation are scheduled, the next one for {time}.}}',
        {
          count: here.length,
          time,
        },
      )}
    </Banner>
  );
}
