/** The other organizations that the user has named in this browser. Browsers keep from each organization what another one stores. */
import { Subject } from '@heddle/client/model/changes.ts';
import { accountKey, writeLocal } from './account-storage.ts';

export interface OtherOrganization {
  readonly name: string;
  /** Its origin, like `https://chat.example.com`. */
  readonly url: string;
}

export const organizationChanges = new Subject();

export function otherOrganizations(ownId: number): readonly OtherOrganization[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(ownId)) ?? '[]') as readonly OtherOrganization[];
  } catch {
    return [];
  }
}

export function keepOrganizations(ownId: number, all: readonly OtherOrganization[]): void {
  writeLocal(keyOf(ownId), JSON.stringify(all));
  organizationChanges.changed();
}

function keyOf(ownId: number): string {
  return accountKey(ownId, 'organizations');
}
