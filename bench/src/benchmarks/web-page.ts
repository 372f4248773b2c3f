/** Functions that run in the page of the app, and measure there. They use nothing of this file's scope. */

/** What the page keeps for the measurements. */
export interface PageProbe {
  /** Resolves with the time after the frame that shows one of these messages. */
  untilMessage(ids: readonly number[]): Promise<number>;
  /** Resolves with the time after the frame that shows a message with this text. */
  untilText(text: string): Promise<number>;
  /** The time after the frame with the first message of this page. Undefined before. */
  firstMessageAt: number | undefined;
  /** Milliseconds from each key press to the end of the frame after it. */
  keys: number[];
  /** The time of the last press of Enter. */
  enteredAt: number;
  /** The lengths of the tasks that were longer than 50 ms. */
  longTasks: number[];
}

type ProbedWindow = Window & { probe: PageProbe };

/** Runs before the scripts of the page. All times are milliseconds since the epoch. */
export function installProbe(): void {
  const now = () => performance.timeOrigin + performance.now();
  /** Calls back when the frame that is being prepared has been painted. */
  const afterFrame = (callback: () => void) => {
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = callback;
      channel.port2.postMessage(undefined);
    });
  };
  const until = (isShown: () => boolean) =>
    new Promise<number>((resolve) => {
      const look = () => {
        if (!isShown()) return false;
        afterFrame(() => resolve(now()));
        return true;
      };
      if (look()) return;
      const observer = new MutationObserver(() => {
        if (look()) observer.disconnect();
      });
      observer.observe(document, { childList: true, subtree: true, attributes: true });
    });
  const articles = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  const probe: PageProbe = {
    untilMessage(ids) {
      const wanted = new Set(ids.map(String));
      const isWanted = ({ dataset }: HTMLElement) => wanted.has(dataset.messageId ?? '');
      return until(() => articles('article[data-message-id]').some(isWanted));
    },
    // A message on its way has no id yet.
    untilText: (text) =>
      until(() => articles('[data-feed-scroller] article').some(({ textContent }) => textContent.includes(text))),
    firstMessageAt: undefined,
    keys: [],
    enteredAt: 0,
    longTasks: [],
  };
  (window as unknown as ProbedWindow).probe = probe;
  void until(() => document.querySelector('article[data-message-id]') !== null).then((at) => {
    probe.firstMessageAt = at;
  });
  addEventListener(
    'keydown',
    ({ key, timeStamp }) => {
      const pressedAt = performance.timeOrigin + timeStamp;
      if (key === 'Enter') probe.enteredAt = pressedAt;
      if (key.length === 1) afterFrame(() => probe.keys.push(now() - pressedAt));
    },
    { capture: true },
  );
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) probe.longTasks.push(duration);
  }).observe({ type: 'longtask', buffered: true });
}

/** Shows the route of a fragment. Returns the milliseconds until one of the messages was painted. */
export async function switchTo({ hash, ids }: { hash: string; ids: readonly number[] }): Promise<number> {
  const { probe } = window as unknown as ProbedWindow;
  const begunAt = performance.timeOrigin + performance.now();
  const shown = probe.untilMessage(ids);
  location.hash = hash;
  return (await shown) - begunAt;
}

/**
 * Scrolls the feed in steps of a screen until so many different messages were shown. Returns how many.
 * @throws Error if the feed does not continue
 */
export async function scrollThrough({ count, step }: { count: number; step: number }): Promise<number> {
  const scroller = document.querySelector('[data-feed-scroller]');
  if (scroller === null) throw new Error('there is no feed');
  const seen = new Set<string>();
  let grewAt = performance.now();
  while (seen.size < count) {
    scroller.scrollTop += step * scroller.clientHeight;
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const before = seen.size;
    for (const article of scroller.querySelectorAll<HTMLElement>('article[data-message-id]')) {
      seen.add(article.dataset.messageId ?? '');
    }
    if (seen.size > before) grewAt = performance.now();
    else if (performance.now() - grewAt > 15_000) throw new Error(`the feed ends after ${seen.size} messages`);
  }
  return seen.size;
}
