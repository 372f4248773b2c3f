import { hash } from 'node:crypto';
import type { Directory } from '../../../directory/directory.ts';
import type { OrganizationPicture, OrganizationRecord } from '../../../directory/records.ts';
import { patternUrl } from '../../../pictures/patterns.ts';

/** The body of a `realm` event about a changed picture; `property` names it. */
export interface PictureEvent {
  readonly op: 'update-picture';
  readonly property: OrganizationPicture;
  readonly data: Readonly<Record<string, string>>;
}

/**
 * The URL and the source of one picture, with the API's field names such as `icon_url` and `icon_source`. The source of
 * a picture that was not uploaded is `G` or `D`.
 */
export function presentPicture(directory: Directory, organization: OrganizationRecord, kind: OrganizationPicture) {
  const isUploaded = uploadedUrl(organization, kind) !== undefined;
  return {
    [`${kind}_url`]: pictureUrl(directory, organization, kind),
    [`${kind}_source`]: isUploaded ? 'U' : kind === 'icon' ? 'G' : 'D',
  };
}

export function pictureUrl({ server }: Directory, organization: OrganizationRecord, kind: OrganizationPicture): string {
  const otherwise = () => (server.gravatar ? gravatarUrl(organization) : patternUrl(organization.id, 'small'));
  return uploadedUrl(organization, kind) ?? otherwise();
}

function uploadedUrl({ id, pictures }: OrganizationRecord, kind: OrganizationPicture): string | undefined {
  const picture = pictures?.[kind];
  if (picture === undefined || picture.file === null) return undefined;
  return `/user_avatars/${id}/realm/${kind}-${picture.file}.png?version=${picture.version}`;
}

function gravatarUrl({ subdomain }: OrganizationRecord): string {
  return `https://secure.gravatar.com/avatar/${hash('md5', subdomain)}?d=identicon&version=1`;
}
