import type { ReactNode } from 'react';
import { useApp } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { useKeyedChanges } from '../base/use-changes.ts';
import { useDerived } from '../base/use-derived.ts';
import { Button } from '../design/button.tsx';
import { GroupIcon } from '../design/icons.ts';
import { VirtualList } from '../design/virtual-list.tsx';
import { groupName } from '../shown/group-name.ts';
import { userName } from '../shown/names.ts';
import styles from './people.module.css';
import { PersonLink } from './person-link.tsx';

/** The height of a member in pixels. */
const ROW_HEIGHT_PIXELS = 32;

/** How many members are visible without scrolling. */
const MAX_ROWS = 7;

interface Props {
  readonly groupId: number;
  readonly onClose: () => void;
}

/** The content of a group's card: what it is, and its members. */
export function GroupCard({ groupId, onClose }: Props): ReactNode {
  const { model, navigation } = useApp();
  const group = model.groups.get(groupId);
  const members = model.groups.membersOf(groupId);
  const ids = useDerived(
    [useKeyedChanges(model.groups.changesOf, groupId)],
    () => [...members].sort((a, b) => userName(model, a).localeCompare(userName(model, b))),
    [model, members],
  );
  if (group === undefined) return <p className={styles.unknown}>{t('This group does not exist.')}</p>;
  return (
    <section className={styles.card} aria-label={groupName(group)}>
      <div className={styles.head}>
        <GroupIcon aria-hidden="true" className={styles.groupMark} />
        <div className={styles.names}>
          <h2 className={styles.name} dir="auto">
            {groupName(group)}
          </h2>
          <p className={styles.role}>
            {group.isDeactivated
              ? t('Deactivated group')
              : t('{count, plural, one {# member} other {# members}}', { count: ids.length })}
          </p>
        </div>
      </div>
      {group.description !== '' && <p dir="auto">{group.description}</p>}
      {ids.length > 0 && (
        <div className={styles.members} style={{ height: Math.min(MAX_ROWS, ids.length) * ROW_HEIGHT_PIXELS }}>
          <VirtualList
            label={t('Members')}
            kind="list"
            count={ids.length}
            keyOf={(index) => ids[index] ?? index}
            rowHeight={ROW_HEIGHT_PIXELS}
            renderRow={({ index }) => <PersonLink userId={ids[index] ?? 0} />}
          />
        </div>
      )}
      {!model.account.isSpectator && (
        <div className={styles.actions}>
          <Button
            onPress={() => {
              onClose();
              navigation.go({ view: 'group', groupId });
            }}
          >
            {t('View group')}
          </Button>
        </div>
      )}
    </section>
  );
}
