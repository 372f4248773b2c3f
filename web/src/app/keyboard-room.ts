/** A lower viewport is a keyboard only if it is lower by this, in pixels. Bars of browsers that come and go are lower. */
const MIN_KEYBOARD_PIXELS = 120;

const WRITING = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, [contenteditable]';

/**
 * Marks the page while the keyboard of a phone is open, so that the bar at the bottom gives way to it. Most browsers then make the page lower.
 * Those of Apple only cover it, so this tells the frame how much is visible. Returns a function that ends this.
 */
export function giveWayToKeyboard(): () => void {
  const viewport = window.visualViewport;
  if (viewport === null || !window.matchMedia('(pointer: coarse)').matches) return () => {};
  const root = document.documentElement;
  /** The largest height by width, because a turned phone has another one. */
  const heights = new Map<number, number>();
  const look = () => {
    // A user who zooms in sees less of the page, without a keyboard.
    const [width, height] = [Math.round(viewport.width * viewport.scale), viewport.height * viewport.scale];
    const largest = Math.max(height, heights.get(width) ?? 0);
    heights.set(width, largest);
    const isWriting = document.activeElement?.matches(WRITING) === true;
    const isOpen = isWriting && largest - height >= MIN_KEYBOARD_PIXELS;
    root.toggleAttribute('data-keyboard', isOpen);
    const isCovered = isOpen && window.innerHeight - height >= MIN_KEYBOARD_PIXELS;
    if (isCovered) {
      root.style.setProperty('--visible-height', `${height}px`);
      window.scrollTo(0, 0);
    } else root.style.removeProperty('--visible-height');
  };
  look();
  viewport.addEventListener('resize', look);
  document.addEventListener('focusin', look);
  return () => {
    viewport.removeEventListener('resize', look);
    document.removeEventListener('focusin', look);
    root.removeAttribute('data-keyboard');
    root.style.removeProperty('--visible-height');
  };
}
