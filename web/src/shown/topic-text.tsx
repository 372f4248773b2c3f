import type { ReactNode } from 'react';
import styles from './marks.module.css';
import { TopicName } from './topic-name.tsx';

/** The name of a topic, in one line. */
export function TopicText({ topic }: { topic: string }): ReactNode {
  return (
    <span className={styles.topic}>
      <TopicName topic={topic} />
    </span>
  );
}
