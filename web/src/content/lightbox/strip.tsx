import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { t } from '../../base/i18n.ts';
import { FileIcon } from '../../design/icons.ts';
import type { ShownMedia } from './conversation-media.ts';
import styles from './lightbox.module.css';

/** Of each direction. The strip of a large conversation moves along with the picture. */
const MAX_NEIGHBORS = 40;

interface Props {
  readonly media: readonly ShownMedia[];
  readonly index: number;
  readonly onChoose: (index: number) => void;
}

/** Small pictures of the conversation. The shown one is in the middle. */
export function Strip({ media, index, onChoose }: Props): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  useLayoutEffect(() => {
    const element = list.current;
    const current = element?.querySelector<HTMLElement>('[aria-current]');
    if (element === null || !current) return;
    element.scrollLeft = current.offsetLeft - (element.clientWidth - current.offsetWidth) / 2;
  });
  const first = Math.max(0, index - MAX_NEIGHBORS);
  const shown = media.slice(first, index + MAX_NEIGHBORS + 1);
  return (
    <ul ref={list} className={styles.strip} aria-label={t('All pictures')}>
      {shown.map((item, offset) => {
        const at = first + offset;
        return (
          <li key={`${item.messageId} ${item.href}`}>
            <button
              type="button"
              aria-label={item.name}
              aria-current={at === index ? 'true' : undefined}
              // The arrows show the neighbors, so one stop of the keyboard is enough.
              tabIndex={at === index ? 0 : -1}
              className={styles.small}
              onClick={() => onChoose(at)}
            >
              {item.thumbnail === undefined ? (
                <FileIcon aria-hidden="true" />
              ) : (
                <img src={item.thumbnail} alt="" loading="lazy" draggable={false} />
              )}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
