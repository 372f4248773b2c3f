import * as endpoints from '@heddle/api/endpoints/organization-import.ts';
import { type AppContext, type HeddleRoute, route } from '../../../extension/app-context.ts';
import { cancelImport, sendMails, startImport } from './actions.ts';
import { findImport, type ImportRow } from './queries.ts';
import { checkMayImport, checkOwner, importRefusal } from './rights.ts';

const MIB_BYTES = 1024 * 1024;

export function organizationImportRoutes(app: AppContext): readonly HeddleRoute[] {
  const { config, db, jobs } = app;
  return [
    route(endpoints.getImport, {}, async ({ organization, caller }) => {
      checkOwner(caller);
      const [refusal, found] = await Promise.all([
        importRefusal(app, organization.id),
        findImport(db, organization.id),
      ]);
      return {
        refusal: refusal ?? null,
        max_size: config.maxImportSizeMib * MIB_BYTES,
        import: found === undefined ? null : presentImport(found),
        user_id: caller.id,
      };
    }),

    route(endpoints.startImport, {}, async ({ organization, caller, parameters }) => {
      await checkMayImport(app, organization, caller);
      await startImport(organization, caller, parameters);
      jobs.wake();
      return {};
    }),

    route(endpoints.cancelImport, {}, async ({ organization, caller }) => {
      checkOwner(caller);
      await cancelImport(organization, caller);
      jobs.wake();
      return {};
    }),

    route(endpoints.sendImportMails, {}, ({ organization, caller }) => {
      checkOwner(caller);
      return sendMails(app, organization, caller);
    }),
  ];
}

function presentImport({ state, format, filename, size, progress, problem, report, mails }: ImportRow) {
  return { state, format, filename, size, progress, problem, report, mails };
}
