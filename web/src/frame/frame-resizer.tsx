import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { t } from '../base/i18n.ts';
import styles from './frame.module.css';
import { useFrame } from './frame-context.ts';
import { LEFT_WIDTH_PIXELS, MAX_LEFT_WIDTH_PIXELS, MIN_LEFT_WIDTH_PIXELS } from './frame-state.ts';

const RESIZE_STEP_PIXELS = 16;

/** The line between the left column and the feed. Drag it, or use the arrow keys. A double click restores the first width. */
export function FrameResizer(): ReactNode {
  const frame = useFrame();
  const start = useRef<{ x: number; width: number }>(undefined);
  const onPointerDown = (event: PointerEvent) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    start.current = { x: event.clientX, width: frame.leftWidth };
  };
  const onPointerMove = (event: PointerEvent) => {
    if (start.current !== undefined) frame.resize(start.current.width + event.clientX - start.current.x);
  };
  const onPointerUp = () => {
    start.current = undefined;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const width = {
      ArrowLeft: frame.leftWidth - RESIZE_STEP_PIXELS,
      ArrowRight: frame.leftWidth + RESIZE_STEP_PIXELS,
      Home: MIN_LEFT_WIDTH_PIXELS,
      End: MAX_LEFT_WIDTH_PIXELS,
    }[event.key];
    if (width === undefined) return;
    event.preventDefault();
    frame.resize(width);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves is a control, and `hr` is none.
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={t('Width of the conversations')}
      aria-valuenow={frame.leftWidth}
      aria-valuemin={MIN_LEFT_WIDTH_PIXELS}
      aria-valuemax={MAX_LEFT_WIDTH_PIXELS}
      className={styles.resizer}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onDoubleClick={() => frame.resize(LEFT_WIDTH_PIXELS)}
      onKeyDown={onKeyDown}
    />
  );
}
