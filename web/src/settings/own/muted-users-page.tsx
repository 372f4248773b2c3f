import { unmuteUser } from '@heddle/client/calls/operations.ts';
import type { ReactNode } from 'react';
import { useApp } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { useChanges } from '../../base/use-changes.ts';
import { Banner } from '../../design/banner.tsx';
import { Button } from '../../design/button.tsx';
import { FormSection } from '../../design/form.tsx';
import { PersonLink } from '../../people/person-link.tsx';
import { userName } from '../../shown/names.ts';
import { useAction } from '../saving.ts';
import styles from '../settings.module.css';

/** The people whose messages are hidden. */
export function MutedUsersPage(): ReactNode {
  const { model, connection } = useApp();
  const action = useAction();
  useChanges(model.mutedUsers.changes);
  const ids = [...model.mutedUsers.all.keys()];
  return (
    <FormSection title={t('Muted people')} description={t('To mute somebody, open the menu of the person.')}>
      {action.problem !== undefined && <Banner kind="error">{action.problem}</Banner>}
      {ids.length === 0 && <p className={styles.quiet}>{t('Nobody is muted.')}</p>}
      {ids.length > 0 && (
        <ul className={styles.list} aria-label={t('Muted people')}>
          {ids.map((id) => (
            <li key={id} className={styles.item}>
              <span className={styles.itemTexts}>
                <PersonLink userId={id} />
              </span>
              <Button
                size="small"
                aria-label={t('Unmute {name}', { name: userName(model, id) })}
                onPress={() => void action.run(() => unmuteUser(connection, { muted_user_id: id }))}
              >
                {t('Unmute')}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </FormSection>
  );
}
