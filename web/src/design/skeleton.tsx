import type { CSSProperties, ReactNode } from 'react';
import styles from './skeleton.module.css';

export interface SkeletonProps {
  /** `message` has a picture, a name and lines; `row` is a row of a list; `line` is a line of text. */
  kind?: 'message' | 'row' | 'line';
  count?: number;
}

/** Widths in percent that look like text. */
const WIDTHS = [72, 54, 88, 61, 79, 46, 67];

/** The shape of content that is being loaded. Set `aria-busy` on the view around it. It appears after 150 ms. */
export function Skeleton({ kind = 'line', count = 1 }: SkeletonProps): ReactNode {
  return (
    <div className={styles.skeleton} aria-hidden="true">
      {Array.from({ length: count }, (_, index) => {
        const width = { '--width': `${WIDTHS[index % WIDTHS.length]}%` } as CSSProperties;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the shapes have no identity.
          <div key={index} className={styles[kind]} style={width}>
            {kind !== 'line' && <span className={styles.picture} />}
            <span className={styles.lines}>
              {kind === 'message' && <span className={styles.name} />}
              <span className={styles.text} />
            </span>
          </div>
        );
      })}
    </div>
  );
}
