import { Subject } from '@heddle/client/model/changes.ts';
import { observeElementRect, type Rect, type Virtualizer } from '@tanstack/react-virtual';

type FeedVirtualizer = Virtualizer<HTMLDivElement, HTMLDivElement>;

/** How close to the end the user counts as being at the end, in pixels. */
export const END_PIXELS = 80;

/** Whether heights that the browser has measured are being applied. The rows that this adds must have theirs at once. */
let isDelivering = false;

/** The sizes that the browser reports for a list and its rows. */
export class FeedLayout {
  readonly #measured = new WeakSet<Element>();
  /** Changes with each report. */
  readonly changes = new Subject();

  /** Whether the browser has reported the height of this row. Until then, its height is an estimate, and the rows below are elsewhere. */
  isMeasured(element: Element | undefined): boolean {
    return element !== undefined && this.#measured.has(element);
  }

  /**
   * The height of a row. The browser reports all heights together after its layout. Reading them before would cost a layout for
   * each row.
   */
  readonly measure = (
    element: HTMLDivElement,
    entry: ResizeObserverEntry | undefined,
    { options, itemSizeCache, indexFromElement }: FeedVirtualizer,
  ): number => {
    const box = entry?.borderBoxSize[0];
    if (box !== undefined) {
      if (!isDelivering) queueMicrotask(() => (isDelivering = false));
      isDelivering = true;
      this.#measured.add(element);
      this.changes.changed();
      return Math.round(box.blockSize);
    }
    const index = indexFromElement(element);
    const known = itemSizeCache.get(options.getItemKey(index));
    return known ?? (isDelivering ? element.offsetHeight : options.estimateSize(index));
  };

  /**
   * Observes the size of the list. Near its end, the list keeps its distance from the end. So it shows the newest messages also when a text
   * below it becomes longer, or when the keyboard of a phone appears.
   */
  readonly observeRect = (virtualizer: FeedVirtualizer, report: (rect: Rect) => void) => {
    let height: number | undefined;
    let count = virtualizer.options.count;
    return observeElementRect(virtualizer, (rect) => {
      const before = height ?? rect.height;
      const distance = virtualizer.getTotalSize() - before - (virtualizer.scrollOffset ?? 0);
      report(rect);
      this.changes.changed();
      // A list that is not shown has no height.
      if (rect.height === 0) return;
      height = rect.height;
      const hasNewRows = virtualizer.options.count !== count;
      count = virtualizer.options.count;
      if (height === before || distance > END_PIXELS) return;
      // If rows came at the same time, the virtualizer is on its way to the end. `scrollBy` would stop it.
      if (distance < 1 || hasNewRows) virtualizer.scrollToEnd();
      else virtualizer.scrollBy(before - height);
    });
  };
}
