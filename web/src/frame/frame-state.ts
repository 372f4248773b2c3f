/**
 * Which columns the frame shows. On a desktop the user's choice is remembered by the browser; it is no data of the account.
 * On small screens a column covers the feed. It is then an entry of the history, so the back button closes it.
 */
import { Subject } from '@heddle/client/model/changes.ts';
import { entryState, pushEntry, replaceEntry } from '../base/history-entries.ts';
import { overlaysOfEntry } from '../base/overlay-history.ts';

/** `desktop`: up to three columns. `tablet`: two; the right one slides over. `phone`: one. */
export type FrameLayout = 'desktop' | 'tablet' | 'phone';

export type Side = 'left' | 'right';

const PHONE = '(width < 43.75rem)';
const TABLET = '(43.75rem <= width < 68.75rem)';
const STORAGE_KEY = 'heddle-frame';

export const LEFT_WIDTH_PIXELS = 280;
export const MIN_LEFT_WIDTH_PIXELS = 200;
export const MAX_LEFT_WIDTH_PIXELS = 420;

interface Remembered {
  readonly left: boolean;
  readonly right: boolean;
  readonly leftWidth: number;
}

const FIRST: Remembered = { left: true, right: true, leftWidth: LEFT_WIDTH_PIXELS };

export class FrameState {
  readonly changes: Subject = new Subject();
  readonly #window: Window;
  #remembered: Remembered;

  constructor(window: Window) {
    this.#window = window;
    this.#remembered = readRemembered(window);
  }

  /** Follows the width and the history of the window until `signal` aborts. */
  listen(signal: AbortSignal): void {
    const changed = () => this.changes.changed();
    this.#window.addEventListener('popstate', changed, { signal });
    for (const query of [PHONE, TABLET]) this.#window.matchMedia(query).addEventListener('change', changed, { signal });
  }

  get layout(): FrameLayout {
    if (this.#window.matchMedia(PHONE).matches) return 'phone';
    return this.#window.matchMedia(TABLET).matches ? 'tablet' : 'desktop';
  }

  get leftWidth(): number {
    return this.#remembered.leftWidth;
  }

  /** Whether the column stands beside the feed if it is open, and not over it. */
  isDocked(side: Side): boolean {
    return this.layout === 'desktop' || (this.layout === 'tablet' && side === 'left');
  }

  isOpen(side: Side): boolean {
    return this.isDocked(side) ? this.#remembered[side] : this.#covering() === side;
  }

  open(side: Side): void {
    if (this.isOpen(side)) return;
    if (this.isDocked(side)) {
      this.#remember({ [side]: true });
      return;
    }
    const entry = { ...entryState(), heddleColumn: side, overlays: 0 };
    // Only one column covers the feed, so a second one replaces the entry of the first. It also replaces what a dialog left.
    if (this.#covering() === undefined && overlaysOfEntry() === 0) pushEntry(entry);
    else replaceEntry(entry);
    this.changes.changed();
  }

  close(side: Side): void {
    if (!this.isOpen(side)) return;
    if (this.isDocked(side)) this.#remember({ [side]: false });
    else this.#window.history.back();
  }

  /** Shows the feed, after the app or the person went to a view. */
  uncover(): void {
    // A new view has an entry of its own, which covers nothing. The view behind the column has the entry before.
    if (this.#covering() === undefined) this.changes.changed();
    else this.#window.history.back();
  }

  toggle(side: Side): void {
    if (this.isOpen(side)) this.close(side);
    else this.open(side);
  }

  /** Sets the width of the left column in pixels, within its bounds. */
  resize(width: number): void {
    this.#remember({ leftWidth: Math.round(Math.min(MAX_LEFT_WIDTH_PIXELS, Math.max(MIN_LEFT_WIDTH_PIXELS, width))) });
  }

  /** The column that covers the feed. A link in the column makes a new entry of the history, which covers nothing. */
  #covering(): Side | undefined {
    return entryState().heddleColumn;
  }

  #remember(change: Partial<Remembered>): void {
    this.#remembered = { ...this.#remembered, ...change };
    try {
      this.#window.localStorage.setItem(STORAGE_KEY, JSON.stringify(this.#remembered));
    } catch {
      // A full or forbidden storage only means that the next visit starts with the first layout.
    }
    this.changes.changed();
  }
}

function readRemembered(window: Window): Remembered {
  try {
    const stored = JSON.parse(window.localStorage.getItem(STORAGE_KEY) ?? 'null') as Partial<Remembered> | null;
    const { left = FIRST.left, right = FIRST.right, leftWidth = FIRST.leftWidth } = stored ?? {};
    const isValid = typeof left === 'boolean' && typeof right === 'boolean' && Number.isFinite(leftWidth);
    return isValid ? { left, right, leftWidth } : FIRST;
  } catch {
    return FIRST;
  }
}
