import type { OrganizationRecord } from '../../../directory/records.ts';
import { type MarkupDirectory, renderMessage } from '../../../markup/index.ts';
import type { PictureEvent } from '../organization-pictures/present.ts';

/** The bodies of `realm` events in the log: changed settings with their values as of the event. */
export type OrganizationEvent =
  | { readonly op: 'update'; readonly settings: Readonly<Record<string, unknown>> }
  | { readonly op: 'update-one'; readonly property: string; readonly value: unknown }
  | PictureEvent;

/** Users without a login may read the description, so it resolves no users and no channels. */
const NOBODY: MarkupDirectory = {
  userById: () => undefined,
  usersByName: () => [],
  channelByName: () => undefined,
};

/** `GET /server_settings` gives this text for an organization without a description, as the reference server does. */
const DEFAULT_DESCRIPTION = 'The coolest place in the universe.';

/** The organization's description as HTML. */
export function renderedDescription({ description }: OrganizationRecord, organizationUrl: string): string {
  return renderMessage(description || DEFAULT_DESCRIPTION, NOBODY, { allowWildcardMentions: false, organizationUrl })
    .html;
}
