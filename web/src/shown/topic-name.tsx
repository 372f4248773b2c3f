import { isResolved, unresolvedName } from '@heddle/client/model/messages/places.ts';
import type { ReactNode } from 'react';
import { useModel } from '../base/app.tsx';
import { t } from '../base/i18n.ts';
import { ResolvedIcon } from '../design/icons.ts';
import { highlightedText } from './highlighted-text.ts';
import styles from './topic-name.module.css';
import { emptyTopicName } from './topic-names.ts';

interface Props {
  readonly topic: string;
  /** The topic of a search as HTML with highlighted matches (`MessageRecord.matchTopic`). */
  readonly match?: string | undefined;
}

/** The name of a topic: a mark if it is resolved, italics if it has no name. */
export function TopicName({ topic, match }: Props): ReactNode {
  const model = useModel();
  if (topic === '') return <em className={styles.empty}>{emptyTopicName(model)}</em>;
  const resolved = isResolved(topic);
  const parts = match === undefined ? undefined : highlightedText(match);
  return (
    <>
      {resolved && (
        <ResolvedIcon className={styles.resolved} role="img" aria-label={t('Resolved')} aria-hidden={false} />
      )}
      <span className={resolved ? styles.done : undefined}>
        {parts === undefined
          ? unresolvedName(topic)
          : parts.map(({ text, isMatch, start }) => {
              if (!isMatch) return text;
              return (
                <mark key={start} className={styles.match}>
                  {text}
                </mark>
              );
            })}
      </span>
    </>
  );
}
