/** The requests of each page that have no response yet. A page needs no code for this: the browser reports its requests. */
import { EventEmitter, once } from 'node:events';
import type { BrowserContext, Frame, Page, Request } from 'playwright-core';

/** A request for events that the app has sent. It asks for the next events only after it has applied and shown the ones before. */
export interface Poll {
  readonly queueId: string;
  /** The last event that the app has applied. */
  readonly lastEventId: number;
}

/** What a page has requested since it was loaded. */
export class PageRequests {
  readonly #changes = new EventEmitter();
  readonly #polls = new Map<Request, Poll>();
  readonly #others = new Set<Request>();

  constructor(page: Page) {
    page.on('request', (request) => this.#began(page, request));
    page.on('requestfinished', (request) => this.#ended(request));
    page.on('requestfailed', (request) => this.#ended(request));
    page.on('close', () => this.#clear());
  }

  /** The poll that has no response yet. Undefined between two polls, and in a tab that leaves polling to another one. */
  get poll(): Poll | undefined {
    return [...this.#polls.values()].at(-1);
  }

  /** The other requests of the app that have no complete response yet, for people. */
  get pending(): readonly string[] {
    return [...this.#others].map((request) => `${request.method()} ${request.url()}`);
  }

  /** Resolves at the next request, or the next end of one. Rejects when `signal` aborts. */
  async nextChange(signal: AbortSignal): Promise<void> {
    await once(this.#changes, 'change', { signal });
  }

  #began(page: Page, request: Request): void {
    // A new document has ended the requests of the one before.
    if (request.isNavigationRequest() && isMain(page, request)) this.#clear();
    // The browser loads code and pictures. The app itself fetches.
    if (!['fetch', 'xhr'].includes(request.resourceType())) return;
    const { pathname, searchParams } = new URL(request.url());
    const queueId = searchParams.get('queue_id');
    if (pathname === '/json/events' && request.method() === 'GET' && queueId !== null) {
      this.#polls.set(request, { queueId, lastEventId: Number(searchParams.get('last_event_id')) });
    } else {
      this.#others.add(request);
    }
    this.#changes.emit('change');
  }

  #ended(request: Request): void {
    this.#polls.delete(request);
    this.#others.delete(request);
    this.#changes.emit('change');
  }

  #clear(): void {
    this.#polls.clear();
    this.#others.clear();
    this.#changes.emit('change');
  }
}

function isMain(page: Page, request: Request): boolean {
  let frame: Frame;
  try {
    frame = request.frame();
  } catch {
    // The frame of a new document does not exist yet. Only a page that begins has no frame before.
    return true;
  }
  return frame === page.mainFrame();
}

/** The requests of all pages of a test. */
export class PagesRequests {
  readonly #pages = new Map<Page, PageRequests>();

  /** Follows all pages of the profile, also those that it opens itself. */
  watch(context: BrowserContext): void {
    context.on('page', (page) => this.#pages.set(page, new PageRequests(page)));
  }

  of(page: Page): PageRequests {
    const requests = this.#pages.get(page);
    if (requests === undefined) throw new Error(`no page of this test: ${page.url()}`);
    return requests;
  }
}
