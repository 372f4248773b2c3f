import { getImport } from '@heddle/client/calls/operations.ts';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChanges } from '../../base/use-changes.ts';
import { useResponse } from '../../base/use-response.ts';
import { Banner } from '../../design/banner.tsx';
import { RouteLink } from '../../shown/route-link.tsx';
import styles from './inbox.module.css';

/** On a new server, the only person is offered to move their team there. */
export function ImportOffer(): ReactNode {
  const { model } = useApp();
  useChanges(model.users.changes);
  const others = [...model.users.all.values()].some(({ isBot, id }) => !isBot && id !== model.ownId);
  return model.account.isOwner && !others ? <OfferIfPossible /> : null;
}

function OfferIfPossible(): ReactNode {
  const { connection } = useApp();
  const [isDismissed, setDismissed] = useState(false);
  const { value } = useResponse('import', () => getImport(connection));
  const isOffered = value !== undefined && (value.refusal === null || value.import !== null);
  if (!isOffered || isDismissed) return null;
  return (
    <div className={styles.offer}>
      <Banner
        action={
          <RouteLink to={{ view: 'organization', section: 'import' }}>
            {value.import === null ? t('Move your team here') : t('Show the import')}
          </RouteLink>
        }
        onDismiss={() => setDismissed(true)}
      >
        {value.import === null
          ? t('Move from Slack, Mattermost, Zulip or Rocket.Chat')
          : t('An archive of your team is on this server.')}
      </Banner>
    </div>
  );
}
