import * as endpoints from '@heddle/api/endpoints/exports.ts';
import { notFound } from '@heddle/api/errors.ts';
import { roleRefusal } from '../../access/setting-changes.ts';
import type { UserRecord } from '../../directory/records.ts';
import { type AppContext, type HeddleRoute, route } from '../../extension/app-context.ts';
import { type ByteRange, file } from '../../http/answers/answers.ts';
import { isMissing } from '../../storage/storage.ts';
import { checkSize, deleteArchive, requestExport } from './actions.ts';
import { archiveName, presentExport } from './present.ts';
import { findExport, listExports } from './queries.ts';

export function dataExportRoutes(app: AppContext): readonly HeddleRoute[] {
  const { db, storage, address, jobs } = app;
  return [
    route(endpoints.getExports, {}, async ({ organization, caller }) => {
      checkAdministrator(caller);
      const base = address.of(organization.directory.organization.subdomain);
      const rows = await listExports(db, organization.id);
      return { exports: rows.map((row) => presentExport(row, base)) };
    }),

    route(endpoints.createExport, {}, async ({ parameters, organization, caller }) => {
      checkAdministrator(caller);
      await checkSize(db, organization.id);
      const id = await organization.transact(caller, 'exclusive', (change, user) => {
        checkAdministrator(user);
        return requestExport(app, change, user, parameters.export_type);
      });
      jobs.wake();
      return { id };
    }),

    route(endpoints.deleteExport, {}, async ({ parameters, organization, caller }) => {
      checkAdministrator(caller);
      await organization.transact(caller, 'exclusive', (change, user) => {
        checkAdministrator(user);
        return deleteArchive(app, change, parameters.export_id);
      });
      return {};
    }),

    route(endpoints.downloadExport, { limit: 'files' }, async ({ parameters, organization, caller }) => {
      checkAdministrator(caller);
      const row = await findExport(db, organization.id, parameters.export_id);
      if (row === undefined || row.completed_at === null || row.storage_key === null || row.size === null) {
        throw notFound('File not found.');
      }
      const { storage_key: key, size, completed_at: modifiedAt } = row;
      const source = {
        ...{ size, modifiedAt, version: key, contentType: 'application/zip' },
        open: (range: ByteRange) =>
          storage.get(key, range).catch((error: unknown) => {
            throw isMissing(error) ? notFound('File not found.') : error;
          }),
      };
      return file(source, { name: archiveName(row), cacheControl: 'private, no-store' });
    }),
  ];
}

/** @throws ApiError `UNAUTHORIZED_PRINCIPAL` */
function checkAdministrator(caller: UserRecord): void {
  const refusal = roleRefusal(caller, 'administrator');
  if (refusal !== undefined) throw refusal;
}
