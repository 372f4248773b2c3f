import type { ReactNode } from 'react';
import { classes } from '../design/classes.ts';
import { ResolvedIcon } from '../design/icons.ts';
import { VisuallyHidden } from '../design/visually-hidden.tsx';
import { useModel } from '../shell/app.tsx';
import { t } from '../shell/i18n.ts';
import styles from './marks.module.css';
import { topicLabel } from './names.ts';

/** The name of a topic, in one line. */
export function TopicText({ topic }: { topic: string }): ReactNode {
  const { text, isResolved, isUnnamed } = topicLabel(useModel(), topic);
  return (
    <span className={classes(styles.topic, isUnnamed && styles.unnamed)}>
      {isResolved && <ResolvedIcon aria-hidden="true" className={styles.resolved} />}
      {isResolved && <VisuallyHidden>{t('Resolved:')} </VisuallyHidden>}
      {text}
    </span>
  );
}
