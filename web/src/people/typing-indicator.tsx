import { keyOf, type Place } from '@heddle/client/model/messages/places.ts';
import type { ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { formatList } from '../base/i18n-formats.ts';
import { useChanges, useChangesOf } from '../base/use-changes.ts';
import { userName } from '../shown/names.ts';
import styles from './typing.module.css';

/** How many writers are named. */
const MAX_NAMES = 3;

/** Says who is writing in a conversation. It keeps its height, so that messages do not move. */
export function TypingIndicator({ place }: { readonly place: Place }): ReactNode {
  const model = useModel();
  useChangesOf(model.typing.changesOf, keyOf(place));
  useChanges(model.mutedUsers.changes);
  const writers = model.typing.at(place).filter((id) => !model.mutedUsers.has(id));
  return (
    <div className={styles.typing} role="status" aria-label={t('Who is typing')}>
      {writers.length > 0 && (
        <>
          <span className={styles.dots} aria-hidden="true">
            <span />
            <span />
            <span />
          </span>
          <span className={styles.text}>{typingText(writers.map((id) => userName(model, id)))}</span>
        </>
      )}
    </div>
  );
}

function typingText(names: readonly string[]): string {
  if (names.length > MAX_NAMES) return t('Several people are typing…');
  return t('{count, plural, one {{names} is typing…} other {{names} are typing…}}', {
    count: names.length,
    names: formatList(names),
  });
}
