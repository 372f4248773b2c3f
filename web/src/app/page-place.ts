import type { Navigation } from '../base/navigation.ts';
import { isFocusFree, onUserEvents } from '../base/user-events.ts';

/**
 * Where pages without a list of their own were: settings, drafts, profiles, help. Lists of many rows and the feed know their rows, and keep
 * their places themselves (`useListPlace`, `Navigation.position`).
 */
interface PagePlace {
  readonly scrolled: readonly { readonly element: Described; readonly top: number }[];
  readonly focus: Described | undefined;
}

/** Finds an element again in a page that was rendered anew. */
interface Described {
  readonly selector: string;
  readonly text: string;
  /** The number among those with the same selector and text. */
  readonly index: number;
}

/** A page that loads its content longer than this does not move any more. */
const RESTORE_TIMEOUT_MS = 5_000;

const OWN_PLACE = '[data-feed-scroller], :has(> [data-keyboard-scope="list"])';

/** Keeps the places of the pages in `root`. Returns a function that ends this. */
export function keepPagePlaces(navigation: Navigation, root: HTMLElement): () => void {
  let stop = () => {};
  const endLeave = navigation.onLeave(() => {
    stop();
    if (root.querySelector('[data-feed-scroller]') === null) navigation.keep('page', placeOf(root));
  });
  const comeBack = () => {
    stop();
    const place = navigation.kept<PagePlace>('page');
    if (place !== undefined) stop = restore(root, place);
  };
  // The app can have loaded itself again.
  comeBack();
  let shown = navigation.entry;
  const endShow = navigation.changes.subscribe(() => {
    if (navigation.entry === shown) return;
    shown = navigation.entry;
    comeBack();
  });
  return () => {
    stop();
    endLeave();
    endShow();
  };
}

function placeOf(root: HTMLElement): PagePlace {
  const scrolled = [...root.querySelectorAll<HTMLElement>('*')]
    .filter((element) => element.scrollTop > 0 && !element.matches(OWN_PLACE))
    .map((element) => ({ element: described(root, element, false), top: element.scrollTop }));
  const focused = document.activeElement;
  const isOwn = focused instanceof HTMLElement && root.contains(focused) && focused.closest(OWN_PLACE) === null;
  return { scrolled, focus: isOwn && focused.matches('a, button') ? described(root, focused, true) : undefined };
}

function described(root: HTMLElement, element: HTMLElement, hasText: boolean): Described {
  const { localName, classList } = element;
  const selector = [localName, ...[...classList].map((name) => CSS.escape(name))].join('.');
  const text = hasText ? textOf(element) : '';
  return { selector, text, index: alike(root, selector, text).indexOf(element) };
}

function textOf(element: HTMLElement): string {
  return element.getAttribute('aria-label') ?? element.textContent;
}

function alike(root: HTMLElement, selector: string, text: string): HTMLElement[] {
  const all = [...root.querySelectorAll<HTMLElement>(selector)];
  return text === '' ? all : all.filter((element) => textOf(element) === text);
}

/** Returns a function that ends this. */
function restore(root: HTMLElement, { scrolled, focus }: PagePlace): () => void {
  const find = ({ selector, text, index }: Described) => alike(root, selector, text)[index];
  const attempt = () => {
    const areScrolled = scrolled.map(({ element, top }) => {
      const found = find(element);
      if (found !== undefined) found.scrollTop = top;
      return found !== undefined && Math.abs(found.scrollTop - top) <= 1;
    });
    const isFree = isFocusFree();
    const focused = focus !== undefined && isFree ? find(focus) : undefined;
    focused?.focus({ preventScroll: true });
    const isFocused = focus === undefined || !isFree || focused !== undefined;
    if (isFocused && areScrolled.every(Boolean)) stop();
  };
  // The content can come in parts.
  const observer = new MutationObserver(attempt);
  observer.observe(root, { childList: true, subtree: true, characterData: true });
  const sizes = new ResizeObserver(attempt);
  sizes.observe(root);
  const timer = setTimeout(() => stop(), RESTORE_TIMEOUT_MS);
  // From now on the user decides.
  const stop = () => {
    observer.disconnect();
    sizes.disconnect();
    clearTimeout(timer);
    endEvents();
  };
  const endEvents = onUserEvents(stop);
  return stop;
}
