import { type KeyboardEvent, type PointerEvent, type ReactNode, useRef } from 'react';
import { t } from '../base/i18n.ts';
import styles from './frame.module.css';
import { useFrame } from './frame-context.ts';
import { LEFT_WIDTH_PX, MAX_LEFT_WIDTH_PX, MIN_LEFT_WIDTH_PX } from './frame-state.ts';

const STEP_PX = 16;

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
      ArrowLeft: frame.leftWidth - STEP_PX,
      ArrowRight: frame.leftWidth + STEP_PX,
      Home: MIN_LEFT_WIDTH_PX,
      End: MAX_LEFT_WIDTH_PX,
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
      aria-valuemin={MIN_LEFT_WIDTH_PX}
      aria-valuemax={MAX_LEFT_WIDTH_PX}
      className={styles.resizer}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={onPointerUp}
      onDoubleClick={() => frame.resize(LEFT_WIDTH_PX)}
      onKeyDown={onKeyDown}
    />
  );
}
