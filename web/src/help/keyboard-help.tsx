import type { ReactNode } from 'react';
import { t } from '../base/i18n.ts';
import { labelOfGroup, SHORTCUT_GROUPS } from '../base/keyboard.ts';
import { useShortcuts } from '../base/keyboard-react.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Kbd } from '../design/kbd.tsx';
import styles from './keyboard-help.module.css';

export interface KeyboardHelpProps {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  /** What stands above the shortcuts, for example links. */
  children?: ReactNode;
}

/** All shortcuts by group. It is generated, so it is always complete. */
export function KeyboardHelp({ isOpen, onOpenChange, children }: KeyboardHelpProps): ReactNode {
  return (
    <Dialog title={t('Keyboard shortcuts')} size="large" isOpen={isOpen} onOpenChange={onOpenChange} isDismissable>
      {children}
      <ShortcutTable heading="h3" />
    </Dialog>
  );
}

interface ShortcutTableProps {
  /** One level below the heading above the table. */
  readonly heading: 'h2' | 'h3';
}

/** The shortcuts by group, in columns if there is room. */
export function ShortcutTable({ heading: Heading }: ShortcutTableProps): ReactNode {
  const all = useShortcuts();
  return (
    <div className={styles.groups}>
      {SHORTCUT_GROUPS.map((group) => {
        const shortcuts = all.filter((shortcut) => shortcut.group === group);
        if (shortcuts.length === 0) return null;
        return (
          <section key={group} className={styles.group}>
            <Heading className={styles.heading}>{labelOfGroup(group)}</Heading>
            <dl className={styles.list}>
              {shortcuts.map(({ id, keys, label }) => (
                <div key={id} className={styles.row}>
                  <dt>{t(label)}</dt>
                  <dd className={styles.keys}>
                    {keys.map((each, index) => (
                      <span key={each} className={styles.alternative}>
                        {index > 0 && <span className={styles.or}>{t('or')}</span>}
                        <Kbd keys={each} />
                      </span>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        );
      })}
    </div>
  );
}
