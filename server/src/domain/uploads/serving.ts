import { badRequest, credentialsMissing, notFound } from '@heddle/api/errors.ts';
import type { Viewer } from '../../access/spectators.ts';
import type { Organization } from '../../directory/organization.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { type FileAnswer, file } from '../../http/answers/answers.ts';
import type { Storage } from '../../storage/storage.ts';
import { isShown, servedType } from './names.ts';
import { fileById, fileFor, type StoredFile } from './queries.ts';
import { accessBy } from './temporary-addresses.ts';

/**
 * Seconds. Browsers fetch the pictures of messages often. After this time, they ask again, and access is checked again.
 */
const CACHE = 'private, max-age=3600, immutable';

/** A file, as its address names it. */
export interface NamedFile {
  readonly organizationId: number;
  /** The rest of the address. */
  readonly rest: string;
}

/**
 * The file at that address, if the viewer can open it. A hidden file gives the same error as one that does not exist.
 * @param viewer the user of the request's credentials (http/requests/admission.ts); undefined for spectators
 * @throws ApiError `NOT_FOUND`; `UNAUTHORIZED` if the request had no credentials
 */
export async function openFor(organization: Organization, viewer: Viewer, named: NamedFile): Promise<StoredFile> {
  const { organizationId, rest } = named;
  // An imported organization keeps the addresses of its files, with the id that it had elsewhere. The search is among its own files.
  const stored = !rest.includes('\0') ? await fileFor(organization, viewer, `${organizationId}/${rest}`) : undefined;
  if (stored !== undefined) return stored;
  throw viewer === undefined ? credentialsMissing() : notFound('File not found.');
}

/**
 * The file that a temporary address opens.
 * @throws ApiError `BAD_REQUEST`: the token is invalid or expired, or belongs to another file name; `NOT_FOUND`: the
 * file was deleted
 */
export async function openTemporary(
  { db, secret }: Pick<AppContext, 'db' | 'secret'>,
  organization: Organization,
  { token, filename }: { readonly token: string; readonly filename: string },
): Promise<StoredFile> {
  const access = accessBy(secret, token, Date.now());
  if (access === undefined || access.organizationId !== organization.id) throw badRequest('Invalid token');
  const stored = await fileById(db, organization.id, access.attachmentId);
  if (stored === undefined) throw notFound('File not found.');
  if (stored.pathId.split('/').at(-1) !== filename) throw badRequest('Invalid filename');
  return stored;
}

/** @param disposition `shown`: inline, if browsers can show it without running code */
export function answerWith(storage: Storage, stored: StoredFile, disposition: 'shown' | 'saved'): FileAnswer {
  const { key, name, size, createdAt, contentType } = stored;
  const source = {
    size,
    modifiedAt: createdAt,
    version: key,
    contentType: servedType(contentType),
    open: (range: { readonly start: number; readonly end: number }) => storage.get(key, range),
  };
  const isInline = disposition === 'shown' && isShown(contentType);
  return file(source, { name, disposition: isInline ? 'inline' : 'attachment', cacheControl: CACHE });
}

/** Responds with a thumbnail. */
export function answerWithThumbnail(
  storage: Storage,
  { createdAt }: StoredFile,
  { key, size, format }: { readonly key: string; readonly size: number; readonly format: string },
): FileAnswer {
  const source = {
    size,
    modifiedAt: createdAt,
    version: key,
    contentType: 'image/webp',
    open: (range: { readonly start: number; readonly end: number }) => storage.get(key, range),
  };
  return file(source, { name: format, disposition: 'inline', cacheControl: CACHE });
}
