import { type ReactNode, type Ref, useEffect, useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import styles from './picture-grid.module.css';
import { Spinner } from './spinner.tsx';

/** How long a picture waits after each failure. After the last one, its label stands for it. */
const RETRIES_AFTER_MS: readonly number[] = [1000, 5000];

/** A picture to choose. */
export interface GridPicture {
  readonly key: string;
  /** What it shows, in words. */
  readonly label: string;
  readonly url: string;
  /** The same without motion. Null: there is none, so its label stands for it. Undefined: the picture does not move. */
  readonly stillUrl?: string | null;
}

export interface PictureGridProps {
  label: string;
  pictures: readonly GridPicture[];
  onChoose: (key: string) => void;
  /** Whether pictures move only under the pointer and the focus. */
  isStill: boolean;
  /** The key of the picture that was chosen, while something happens with it. The others cannot be chosen then. */
  pending?: string | undefined;
  listRef?: Ref<HTMLDivElement>;
}

/** Pictures in rows. Arrow keys lead through them, Enter and a click choose. */
export function PictureGrid({ label, pictures, onChoose, isStill, pending, listRef }: PictureGridProps): ReactNode {
  return (
    <ListBox
      ref={listRef}
      aria-label={label}
      layout="grid"
      className={styles.grid ?? ''}
      disabledKeys={pending === undefined ? [] : pictures.map(({ key }) => key)}
      onAction={(key) => onChoose(String(key))}
    >
      {pictures.map((picture) => (
        <ListBoxItem
          key={picture.key}
          id={picture.key}
          textValue={picture.label}
          aria-label={picture.label}
          className={styles.picture ?? ''}
        >
          {({ isHovered, isFocused }) => (
            <>
              <Picture picture={picture} moves={!isStill || isHovered || isFocused} />
              {picture.key === pending && (
                <span className={styles.pending}>
                  <Spinner />
                </span>
              )}
            </>
          )}
        </ListBoxItem>
      ))}
    </ListBox>
  );
}

function Picture({ picture, moves }: { readonly picture: GridPicture; readonly moves: boolean }): ReactNode {
  const { label, url, stillUrl = url } = picture;
  const shown = moves ? url : stillUrl;
  const { attempt, hasFailed, fail } = useAttempts(shown);
  if (shown === null || hasFailed) return <span className={styles.label}>{label}</span>;
  return (
    <img
      key={attempt}
      src={shown}
      alt=""
      loading="lazy"
      decoding="async"
      draggable={false}
      onError={() => fail(shown)}
    />
  );
}

/** A picture that fails is requested again a few times, because a busy server refuses some. */
function useAttempts(url: string | null) {
  const [state, setState] = useState({ url, attempt: 0, isFailing: false });
  if (state.url !== url) setState({ url, attempt: 0, isFailing: false });
  const { attempt, isFailing } = state;
  const pause = RETRIES_AFTER_MS[attempt];
  useEffect(() => {
    if (!isFailing || pause === undefined) return;
    const timer = setTimeout(() => setState({ url, attempt: attempt + 1, isFailing: false }), pause);
    return () => clearTimeout(timer);
  }, [url, attempt, isFailing, pause]);
  const fail = (failed: string): void => setState((now) => (now.url === failed ? { ...now, isFailing: true } : now));
  return { attempt, hasFailed: isFailing && pause === undefined, fail };
}
