import { type PointerEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import {
  bounded,
  FITTED,
  fittedSize,
  moved,
  type Point,
  type Size,
  type View,
  ZOOM_STEP_FACTOR,
  zoomed,
} from './zoom.ts';

/** How far a finger must move across a picture to show the next one, in pixels. */
const SWIPE_PIXELS = 60;

/** A press that moves less is a click. */
const CLICK_PIXELS = 6;

export interface Zoom {
  readonly view: View;
  /** The size of the picture on the stage without zoom. Undefined while its size is unknown. */
  readonly fitted: Size | undefined;
  readonly isDragging: boolean;
  readonly zoom: (factor: number) => void;
  readonly fit: () => void;
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: (event: PointerEvent) => void;
}

interface Options {
  readonly stage: RefObject<HTMLElement | null>;
  readonly picture: Size | undefined;
  /** A swipe to the next (1) or previous (-1) picture. */
  readonly onSwipe: (direction: 1 | -1) => void;
  /** A press on the stage beside the picture. */
  readonly onPressBeside: () => void;
}

/** Zooms with wheel, pinch and double taps, and moves by dragging. */
export function useZoom({ stage, picture, onSwipe, onPressBeside }: Options): Zoom {
  const [view, setView] = useState<View>(FITTED);
  const [isDragging, setDragging] = useState(false);
  const size = useSize(stage);
  const fitted = picture === undefined || size === undefined ? undefined : fittedSize(picture, size);
  const pointers = useRef(new Map<number, Point>());
  /** How far the pointer has moved since it was pressed, and whether that was beside the picture. */
  const press = useRef({ x: 0, path: 0, isBeside: false });
  const change = (make: (before: View) => View) => {
    setView((before) => (fitted && size ? bounded(make(before), fitted, size) : before));
  };
  const latest = useRef(change);
  latest.current = change;
  useWheel(stage, (factor, at) => latest.current((before) => zoomed(before, factor, at)));

  const onPointerDown = (event: PointerEvent) => {
    if (event.button !== 0) return;
    if (pointers.current.size === 0) press.current = { x: 0, path: 0, isBeside: event.target === stage.current };
    pointers.current.set(event.pointerId, positionOf(event));
    event.currentTarget.setPointerCapture(event.pointerId);
    setDragging(true);
  };
  const onPointerMove = (event: PointerEvent) => {
    const before = pointers.current.get(event.pointerId);
    if (before === undefined) return;
    const now = positionOf(event);
    const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
    pointers.current.set(event.pointerId, now);
    const by = { x: now.x - before.x, y: now.y - before.y };
    press.current.path += distance(now, before);
    if (other === undefined) {
      press.current.x += by.x;
      change((old) => moved(old, by));
      return;
    }
    const factor = distance(now, other) / Math.max(1, distance(before, other));
    const middle = relativeTo(stage.current, { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
    change((old) => zoomed(old, factor, middle));
    press.current.x = 0;
  };
  const onPointerUp = (event: PointerEvent) => {
    if (!pointers.current.delete(event.pointerId)) return;
    if (pointers.current.size > 0) return;
    setDragging(false);
    const { x, path, isBeside } = press.current;
    if (isBeside && path < CLICK_PIXELS) onPressBeside();
    else if (view.scale === 1 && event.pointerType !== 'mouse' && Math.abs(x) > SWIPE_PIXELS) onSwipe(x < 0 ? 1 : -1);
  };
  return {
    view,
    fitted,
    isDragging,
    zoom: (factor) => change((before) => zoomed(before, factor)),
    fit: () => setView(FITTED),
    onPointerDown,
    onPointerMove,
    onPointerUp,
  };
}

/** The size of an element, also after it changes. */
function useSize(element: RefObject<HTMLElement | null>): Size | undefined {
  const [size, setSize] = useState<Size>();
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return;
    const measure = () => setSize({ width: current.clientWidth, height: current.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** React's listeners for the wheel cannot prevent that the browser zooms the page. */
function useWheel(stage: RefObject<HTMLElement | null>, onZoom: (factor: number, at: Point) => void): void {
  const latest = useRef(onZoom);
  latest.current = onZoom;
  useEffect(() => {
    const { current } = stage;
    if (current === null) return;
    const listener = (event: WheelEvent) => {
      event.preventDefault();
      const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 16 : event.deltaY;
      const factor = ZOOM_STEP_FACTOR ** (-Math.max(-200, Math.min(200, pixels)) / 100);
      latest.current(factor, relativeTo(current, positionOf(event)));
    };
    current.addEventListener('wheel', listener, { passive: false });
    return () => current.removeEventListener('wheel', listener);
  }, [stage]);
}

function positionOf({ clientX, clientY }: { readonly clientX: number; readonly clientY: number }): Point {
  return { x: clientX, y: clientY };
}

function relativeTo(stage: HTMLElement | null, { x, y }: Point): Point {
  const box = stage?.getBoundingClientRect();
  return box === undefined ? { x: 0, y: 0 } : { x: x - box.x - box.width / 2, y: y - box.y - box.height / 2 };
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y);
}
