/** Swipes of one finger: from the left edge of a phone goes back; to the left on a message replies. */
import type { App } from '../base/app.tsx';
import { entryState } from '../base/history-entries.ts';
import { messageCommands } from '../feed/actions/commands.ts';

/** A swipe that goes back begins this close to the edge. */
const EDGE_PIXELS = 24;
/** A swipe counts from this length on. */
const MIN_SWIPE_PIXELS = 64;
/** The first movement decides whether the finger scrolls or swipes. */
const SLOP_PIXELS = 10;
/** A message follows the finger at most this far. */
const MAX_PULL_PIXELS = 80;

/** Elements that need the finger themselves. */
const OWN_TOUCH = 'input, textarea, select, audio, video, [role=slider], [contenteditable]';

interface Swipe {
  readonly finger: number;
  readonly x: number;
  readonly y: number;
  /** The message. Undefined for a swipe from the edge. */
  readonly message: HTMLElement | undefined;
  isSideways: boolean;
}

/** Returns a function that ends this. */
export function followSwipes(app: App): () => void {
  const motion = window.matchMedia('(prefers-reduced-motion: reduce)');
  let swipe: Swipe | undefined;

  const pull = ({ message }: Swipe, pixels: number): void => {
    if (message === undefined) return;
    message.toggleAttribute('data-swiped', pixels >= MIN_SWIPE_PIXELS);
    if (pixels === 0 || motion.matches) message.style.removeProperty('translate');
    else message.style.setProperty('translate', `${-Math.min(pixels, MAX_PULL_PIXELS)}px`);
  };
  const end = (): void => {
    if (swipe !== undefined) pull(swipe, 0);
    swipe = undefined;
  };

  const onStart = ({ touches, target }: TouchEvent): void => {
    end();
    const [touch, another] = touches;
    if (touch === undefined || another !== undefined || !(target instanceof Element)) return;
    // A selection has handles, which the finger moves. An enlarged page moves with the finger.
    const isSelecting = window.getSelection()?.isCollapsed === false;
    if (isSelecting || (window.visualViewport?.scale ?? 1) > 1 || target.closest(OWN_TOUCH) !== null) return;
    const { identifier: finger, clientX: x, clientY: y } = touch;
    if (x <= EDGE_PIXELS) {
      if (hasWayBack(app, target)) swipe = { finger, x, y, message: undefined, isSideways: false };
      return;
    }
    const message = target.closest<HTMLElement>('main [data-message-id]') ?? undefined;
    if (message !== undefined && !scrollsSideways(target, message)) {
      swipe = { finger, x, y, message, isSideways: false };
    }
  };
  const onMove = ({ touches }: TouchEvent): void => {
    const touch = [...touches].find(({ identifier }) => identifier === swipe?.finger);
    if (swipe === undefined || touch === undefined || touches.length > 1) {
      end();
      return;
    }
    const [length, across] = [lengthOf(swipe, touch), Math.abs(touch.clientY - swipe.y)];
    if (!swipe.isSideways) {
      if (Math.max(Math.abs(length), across) < SLOP_PIXELS) return;
      if (length <= across) {
        end();
        return;
      }
      swipe.isSideways = true;
    }
    pull(swipe, Math.max(0, length));
  };
  const onEnd = ({ changedTouches }: TouchEvent): void => {
    const touch = [...changedTouches].find(({ identifier }) => identifier === swipe?.finger);
    const ended = swipe;
    end();
    if (ended?.isSideways !== true || touch === undefined || lengthOf(ended, touch) < MIN_SWIPE_PIXELS) return;
    if (ended.message === undefined) app.navigation.goBack();
    else replyTo(app, Number(ended.message.dataset.messageId));
  };

  const listeners = { touchstart: onStart, touchmove: onMove, touchend: onEnd, touchcancel: end } as const;
  for (const [type, listener] of Object.entries(listeners)) {
    document.addEventListener(type, listener as EventListener, { passive: true });
  }
  return () => {
    end();
    for (const [type, listener] of Object.entries(listeners)) {
      document.removeEventListener(type, listener as EventListener);
    }
  };
}

/** How far the finger is in the direction of the swipe. */
function lengthOf({ x, message }: Swipe, { clientX }: Touch): number {
  return message === undefined ? clientX - x : x - clientX;
}

/** Systems of Apple go back by a swipe themselves, and only their browsers have this property. */
function hasWayBack({ navigation }: App, target: Element): boolean {
  if ('standalone' in navigator || target.closest('[data-layout="phone"]') === null) return false;
  return !navigation.isAtRoot || entryState().heddleColumn !== undefined;
}

/** Whether something between the target and the message scrolls sideways, for example code. */
function scrollsSideways(target: Element, message: Element): boolean {
  for (let element: Element | null = target; element !== null && element !== message; element = element.parentElement) {
    const isWide = element.scrollWidth > element.clientWidth;
    if (isWide && /auto|scroll/.test(getComputedStyle(element).overflowX)) return true;
  }
  return false;
}

/** The same as in the menu of the message: with the quote, so that others see to what. */
function replyTo(app: App, id: number): void {
  const record = app.model.cache.messages.get(id);
  if (record === undefined) return;
  messageCommands(app, record)
    .find((command) => command.id === 'quote' && command.refusal === undefined)
    ?.run();
}
