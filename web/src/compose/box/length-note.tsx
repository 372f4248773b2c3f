import type { ReactNode } from 'react';
import { useModel } from '../../base/app.tsx';
import { excessOf } from '../../base/excess.ts';
import { t } from '../../base/i18n.ts';
import { formatNumber } from '../../base/i18n-formats.ts';
import { classes } from '../../design/classes.ts';
import styles from './toolbar.module.css';

/**
 * The length of the text in the last tenth of the limit, and above it how much is too much. Screen readers hear only the latter: it is why the
 * text cannot be sent.
 */
export function LengthNote({ id, text }: { readonly id: string; readonly text: string }): ReactNode {
  const limit = useModel().organization.limits.message_length;
  const count = excessOf(text, limit);
  const isNear = count === 0 && text.length >= limit * 0.9;
  return (
    <>
      {isNear && <span className={styles.count}>{t('{length} of {limit} characters', values(text, limit))}</span>}
      <span id={id} role="status" className={classes(styles.count, styles.over)}>
        {count > 0 && t('{count, plural, one {# character} other {# characters}} too many', { count })}
      </span>
    </>
  );
}

function values(text: string, limit: number): { length: string; limit: string } {
  return { length: formatNumber([...text].length), limit: formatNumber(limit) };
}
