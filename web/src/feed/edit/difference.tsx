import { type ReactNode, useMemo } from 'react';
import styles from './edit.module.css';
import { wordDifference } from './word-difference.ts';

interface Props {
  readonly before: string;
  readonly after: string;
}

/** Two texts as one, with what was removed and what was added. */
export function Difference({ before, after }: Props): ReactNode {
  const parts = useMemo(() => wordDifference(before, after), [before, after]);
  return (
    <p className={styles.difference}>
      {parts.map(({ kind, text }, index) => {
        const Tag = kind === 'same' ? 'span' : kind === 'added' ? 'ins' : 'del';
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no identity.
        return <Tag key={index}>{text}</Tag>;
      })}
    </p>
  );
}
