import { badRequest } from '@heddle/api/errors.ts';
import { roleRefusal } from '../../../access/setting-changes.ts';
import type { Organization } from '../../../directory/organization.ts';
import type { UserRecord } from '../../../directory/records.ts';
import type { AppContext } from '../../../extension/app-context.ts';
import { type Refusal, refusalToReplace } from './queries.ts';

const REASONS: Readonly<Record<Refusal, string>> = {
  in_use:
    'This organization is not new: it has people, messages, channels or other things that an import would delete. Use the command `heddle import`.',
  other_organizations: 'This server has other organizations. Use the command `heddle import`.',
  not_supported: 'The operator of this server has switched off imports in the browser.',
};

/** @throws ApiError `UNAUTHORIZED_PRINCIPAL` */
export function checkOwner(caller: UserRecord): void {
  const refusal = roleRefusal(caller, 'owner');
  if (refusal !== undefined) throw refusal;
}

/** Why nothing can be imported into the organization; undefined if an archive can. */
export async function importRefusal(
  app: Pick<AppContext, 'config' | 'db' | 'program'>,
  organizationId: number,
): Promise<Refusal | undefined> {
  if (app.program === undefined || app.config.maxImportSizeMib === 0) return 'not_supported';
  return refusalToReplace(app.db, organizationId);
}

/** @throws ApiError `UNAUTHORIZED_PRINCIPAL`; `BAD_REQUEST`: the organization is not new any more */
export async function checkMayImport(
  app: Pick<AppContext, 'config' | 'db' | 'program'>,
  organization: Organization,
  caller: UserRecord,
): Promise<void> {
  checkOwner(caller);
  const refusal = await importRefusal(app, organization.id);
  if (refusal !== undefined) throw badRequest(REASONS[refusal]);
}

/** What the import says if the organization was used meanwhile. */
export function reasonOf(refusal: Refusal): string {
  return REASONS[refusal];
}
