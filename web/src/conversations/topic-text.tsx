import type { ReactNode } from 'react';
import { TopicName } from '../feed/content/topic-name.tsx';
import styles from './marks.module.css';

/** The name of a topic, in one line. */
export function TopicText({ topic }: { topic: string }): ReactNode {
  return (
    <span className={styles.topic}>
      <TopicName topic={topic} />
    </span>
  );
}
