import { type ReactNode, type Ref, useImperativeHandle, useRef, useState } from 'react';
import { t } from '../../base/i18n.ts';
import { classes } from '../../design/classes.ts';
import { Spinner } from '../../design/spinner.tsx';
import type { MediaItem } from '../lightbox-target.ts';
import styles from './lightbox.module.css';
import { useZoom } from './use-zoom.ts';
import type { Size } from './zoom.ts';

/** What buttons and keys of the lightbox do with the picture. */
export interface StageHandle {
  readonly zoom: (factor: number) => void;
  readonly fit: () => void;
}

interface Props {
  readonly item: MediaItem;
  readonly onSwipe: (direction: 1 | -1) => void;
  /** A click beside the picture. */
  readonly onDismiss: () => void;
  readonly handle: Ref<StageHandle>;
}

/** One picture, as large as there is room. Zooming and moving it needs no mouse. */
export function PictureStage({ item, onSwipe, onDismiss, handle }: Props): ReactNode {
  const stage = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [natural, setNatural] = useState<Size | undefined>(item.size);
  const { view, fitted, isDragging, zoom, fit, ...pointer } = useZoom({
    stage,
    picture: natural,
    onSwipe,
    onPressBeside: onDismiss,
  });
  useImperativeHandle(handle, () => ({ zoom, fit }));
  const transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and buttons of the lightbox do the same
    <div
      ref={stage}
      className={classes(styles.stage, view.scale > 1 && styles.movable, isDragging && styles.dragging)}
      {...pointer}
      onPointerCancel={pointer.onPointerUp}
      onDoubleClick={() => (view.scale > 1 ? fit() : zoom(2.5))}
    >
      {state === 'failed' ? (
        <p className={styles.failure}>{t('This picture cannot be shown. Open the original or download it.')}</p>
      ) : (
        <div className={styles.picture} style={{ ...fitted, transform }}>
          {state === 'loading' && item.thumbnail !== undefined && <img src={item.thumbnail} alt="" draggable={false} />}
          <img
            src={item.source}
            alt={item.name}
            draggable={false}
            className={classes(natural === undefined && styles.unknown)}
            onLoad={({ currentTarget }) => {
              const { naturalWidth: width, naturalHeight: height } = currentTarget;
              setNatural((known) => known ?? { width: width || 300, height: height || 300 });
              setState('ready');
            }}
            onError={() => setState('failed')}
          />
        </div>
      )}
      {state === 'loading' && (
        <span className={styles.busy}>
          <Spinner label={t('Loading')} />
        </span>
      )}
    </div>
  );
}

export function FilmStage({ item }: { readonly item: MediaItem }): ReactNode {
  const [isFailed, setFailed] = useState(false);
  if (isFailed) {
    return (
      <div className={styles.stage}>
        <p className={styles.failure}>{t('This browser cannot play the video. Download it to watch it.')}</p>
      </div>
    );
  }
  return (
    <div className={styles.stage}>
      {/* biome-ignore lint/a11y/useMediaCaption: nobody has written captions for uploaded films */}
      <video
        className={styles.film}
        src={item.source}
        aria-label={item.name}
        controls
        autoPlay
        onError={() => setFailed(true)}
      />
    </div>
  );
}
