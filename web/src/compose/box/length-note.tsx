import type { ReactNode } from 'react';
import { useModel } from '../../base/app.tsx';
import { t } from '../../base/i18n.ts';
import { formatNumber } from '../../base/i18n-formats.ts';
import { classes } from '../../design/classes.ts';
import styles from './toolbar.module.css';

/** How many characters are over the limit. The server counts Unicode characters, not units of UTF-16. */
export function excessOf(text: string, limit: number): number {
  return text.length <= limit ? 0 : Math.max(0, [...text].length - limit);
}

/** The length of the text in the last tenth of the limit, and above it how much is too much. */
export function LengthNote({ id, text }: { readonly id: string; readonly text: string }): ReactNode {
  const limit = useModel().organization.limits.message_length;
  const count = excessOf(text, limit);
  const isNear = text.length >= limit * 0.9;
  return (
    <span id={id} role="status" className={classes(styles.count, count > 0 && styles.over)}>
      {count > 0
        ? t('{count, plural, one {# character} other {# characters}} too many', { count })
        : isNear && t('{length} of {limit} characters', values(text, limit))}
    </span>
  );
}

function values(text: string, limit: number): { length: string; limit: string } {
  return { length: formatNumber([...text].length), limit: formatNumber(limit) };
}
