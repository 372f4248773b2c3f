/**
 * The positions of pages, as clients get and send them. They are signed for one search. So a member cannot make the service refuse requests
 * with invented positions, and each page in memory is one that a search has led to.
 */
import type { ServiceName } from './service.ts';
import { openSignedText, signedText } from './signed-text.ts';

interface PagedSearch {
  readonly organizationId: number;
  readonly service: ServiceName;
  readonly query: string;
}

export function signedPosition(secret: Buffer, search: PagedSearch, position: string): string {
  return signedText(secret, meaningOf(search), position);
}

/** The position that this server has signed for the search; undefined for anything else. */
export function openPosition(secret: Buffer, search: PagedSearch, given: string): string | undefined {
  return openSignedText(secret, meaningOf(search), given);
}

function meaningOf({ organizationId, service, query }: PagedSearch): string {
  return `position of GIFs\n${organizationId}\n${JSON.stringify([service, query])}`;
}
