/**
 * How the list of organizations gets from one to another: the user types an address, or the app of one passes its list on in the fragment of a
 * link. Browsers send fragments to no server, and the script of the login page keeps this one in the browser (`PASSED_ORGANIZATIONS`).
 */
import { PASSED_ORGANIZATIONS } from '@heddle/api/web-app.ts';
import { keepOrganizations, type OtherOrganization, otherOrganizations } from '../../base/organizations.ts';

const MAX_ORGANIZATIONS = 20;
const MAX_NAME_CHARACTERS = 60;

/** Those with a known address give it their name. */
export function addOrganizations(ownId: number, added: readonly OtherOrganization[]): void {
  const kept = new Map([...otherOrganizations(ownId), ...added].map((one) => [one.url, one]));
  keepOrganizations(ownId, [...kept.values()].slice(-MAX_ORGANIZATIONS));
}

export function removeOrganization(ownId: number, removed: OtherOrganization): void {
  keepOrganizations(
    ownId,
    otherOrganizations(ownId).filter(({ url }) => url !== removed.url),
  );
}

/** The organization at an address that a person typed, `chat.example.com` or a whole one. Undefined for anything else, and for this one. */
export function organizationAt(text: string): OtherOrganization | undefined {
  const trimmed = text.trim();
  const url = otherUrl(trimmed.includes('://') ? trimmed : `${window.location.protocol}//${trimmed}`);
  return url && { name: url.host, url: url.origin };
}

/** The address that passes `all` on to the app at `to`. */
export function addressPassing(all: readonly OtherOrganization[], to: OtherOrganization): string {
  const others = all.filter(({ url }) => url !== to.url);
  return `${to.url}/${PASSED_ORGANIZATIONS.fragment}${encodeURIComponent(JSON.stringify(others))}`;
}

/** What the app of another organization passed on, in this link or in the one that led to the login. */
export function passedOrganizations(inLink: string | undefined): readonly OtherOrganization[] {
  try {
    const passed = inLink ?? sessionStorage.getItem(PASSED_ORGANIZATIONS.key);
    return passed === null ? [] : organizationsIn(JSON.parse(decodeURIComponent(passed)));
  } catch {
    return [];
  }
}

export function forgetPassed(): void {
  try {
    sessionStorage.removeItem(PASSED_ORGANIZATIONS.key);
  } catch {
    // Without storage there is nothing to forget.
  }
}

/** Anyone can make such a link, so nothing in it is certain. */
function organizationsIn(list: unknown): readonly OtherOrganization[] {
  if (!Array.isArray(list)) return [];
  return list.slice(0, MAX_ORGANIZATIONS).flatMap((one: unknown) => {
    const { name, url } = (one ?? {}) as Partial<Record<keyof OtherOrganization, unknown>>;
    const origin = typeof url === 'string' ? otherUrl(url)?.origin : undefined;
    if (typeof name !== 'string' || name.trim() === '' || origin === undefined) return [];
    return [{ name: name.trim().slice(0, MAX_NAME_CHARACTERS), url: origin }];
  });
}

/** Browsers also accept `two words`, as `two%20words`. */
const HOST = /^[\w.:[\]-]+$/;

/** Undefined for this organization, and for what is no address of an app. */
function otherUrl(text: string): URL | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isAllowed = url.protocol === 'https:' || url.protocol === window.location.protocol;
  return isAllowed && HOST.test(url.host) && url.origin !== window.location.origin ? url : undefined;
}
