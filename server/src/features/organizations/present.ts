import { hash } from 'node:crypto';
import type { OrganizationRecord } from '../../directory/records.ts';
import { type MarkupDirectory, renderMessage } from '../../markup/index.ts';

/** The organization's square picture: a pattern, since none can be uploaded yet. */
export function iconUrlOf(organization: OrganizationRecord): string {
  return `https://secure.gravatar.com/avatar/${hash('md5', organization.subdomain)}?d=identicon&version=1`;
}

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
