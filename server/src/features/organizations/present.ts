import type { OrganizationRecord } from '../../directory/records.ts';
import { type MarkupDirectory, renderMessage } from '../../markup/index.ts';
import type { PictureEvent } from '../organization-pictures/present.ts';

/** What `realm` events carry in the log: changed settings as they are since the event. */
export type OrganizationEvent =
  | { readonly op: 'update'; readonly settings: Readonly<Record<string, unknown>> }
  | { readonly op: 'update-one'; readonly property: string; readonly value: unknown }
  | PictureEvent;

/** Whoever is not logged in may read the description, so it names nobody and no channel. */
const NOBODY: MarkupDirectory = {
  userById: () => undefined,
  usersByName: () => [],
  channelByName: () => undefined,
};

/** The organization's description as HTML. */
export function renderedDescription(organization: OrganizationRecord, organizationUrl: string): string {
  return renderMessage(organization.description, NOBODY, { allowWildcardMentions: false, organizationUrl }).html;
}
