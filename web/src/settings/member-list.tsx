import type { Subscribable } from '@heddle/client/model/changes.ts';
import type { ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useEntryState, useListPlace } from '../base/list-place.ts';
import { matcherOf } from '../base/text-filter.ts';
import { useDerived } from '../base/use-derived.ts';
import { Button } from '../design/button.tsx';
import { SearchField } from '../design/search-field.tsx';
import { VirtualList } from '../design/virtual-list.tsx';
import { PersonLink } from '../people/person-link.tsx';
import { roleName } from '../people/user-texts.ts';
import { userName } from '../shown/names.ts';
import styles from './settings.module.css';

/** The height of a row in pixels. */
const ROW_HEIGHT_PIXELS = 48;

interface MemberListProps {
  readonly label: string;
  readonly userIds: ReadonlySet<number>;
  /** Changes with `userIds`, which can change in place. */
  readonly changes: Subscribable;
  readonly canRemove: (userId: number) => boolean;
  readonly onRemove: (userId: number) => void;
}

/** People by name, with a search and buttons that remove them. */
export function MemberList({ label, userIds, changes, canRemove, onRemove }: MemberListProps): ReactNode {
  const model = useModel();
  const place = useListPlace('members');
  const [text, setText] = useEntryState('text', '');
  const shown = useDerived([model.users.changes, changes], () => {
    const matches = matcherOf(text);
    const named = Array.from(userIds, (id) => ({ id, name: userName(model, id) })).filter(({ name }) => matches(name));
    const collator = new Intl.Collator();
    return named.sort((a, b) => collator.compare(a.name, b.name)).map(({ id }) => id);
  }, [userIds, text, model]);
  const renderRow = (userId: number | undefined) => {
    if (userId === undefined) return null;
    const user = model.users.get(userId);
    return (
      <div className={styles.row}>
        <div className={styles.rowTexts}>
          <PersonLink userId={userId} />
        </div>
        <span className={styles.quiet}>{user && roleName(user)}</span>
        {canRemove(userId) && (
          <Button
            size="small"
            kind="quiet"
            aria-label={t('Remove {name}', { name: userName(model, userId) })}
            onPress={() => onRemove(userId)}
          >
            {t('Remove')}
          </Button>
        )}
      </div>
    );
  };
  return (
    <>
      <div className={styles.bar}>
        <SearchField label={t('Filter members')} value={text} onChange={setText} />
        <span className={styles.quiet}>
          {t('{count, plural, one {# member} other {# members}}', { count: userIds.size })}
        </span>
      </div>
      <VirtualList
        place={place}
        className={styles.rows ?? ''}
        label={label}
        kind="grid"
        count={shown.length}
        keyOf={(index) => shown[index] ?? index}
        rowHeight={ROW_HEIGHT_PIXELS}
        renderRow={({ index }) => renderRow(shown[index])}
        empty={<p className={styles.quiet}>{t('Nobody')}</p>}
      />
    </>
  );
}
