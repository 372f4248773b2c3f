import { badRequest, credentialsMissing, notFound } from '@heddle/api/errors.ts';
import type { Viewer } from '../../access/spectators.ts';
import type { Organization } from '../../directory/organization.ts';
import { type FileAnswer, file } from '../../http/answers.ts';
import type { Storage } from '../../storage/storage.ts';
import type { Rooms } from '../rooms.ts';
import { isShown, servedType } from './names.ts';
import { fileById, fileFor, type StoredFile } from './queries.ts';
import { accessBy } from './tokens.ts';

/** What a message shows is asked for again and again; who may open it is asked for each time that has passed, in seconds. */
const CACHE = 'private, max-age=3600, immutable';

/** As an address names it. */
export interface NamedFile {
  readonly organizationId: number;
  /** The rest of the address. */
  readonly rest: string;
}

/**
 * The file at that address, for who may open it. A file that is not there and one that is not for the viewer are the same.
 * @param viewer who says so: whoever the request's credentials name (http/admission.ts); undefined for spectators
 * @throws ApiError `NOT_FOUND`; `UNAUTHORIZED` where no credentials were sent
 */
export async function openFor(organization: Organization, viewer: Viewer, named: NamedFile): Promise<StoredFile> {
  const { organizationId, rest } = named;
  const isHere = organizationId === organization.id && !rest.includes('\0');
  const stored = isHere ? await fileFor(organization, viewer, `${organizationId}/${rest}`) : undefined;
  if (stored !== undefined) return stored;
  throw viewer === undefined ? credentialsMissing() : notFound('File not found.');
}

/**
 * The file that a temporary address opens.
 * @throws ApiError `BAD_REQUEST`: a token that is not ours or past its time, or another file's name; `NOT_FOUND`: deleted meanwhile
 */
export async function openTemporary(
  { db, secret }: Pick<Rooms, 'db' | 'secret'>,
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

/** @param disposition `shown` where browsers can show it without running anything */
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

/** A drawing of ours of a picture. */
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
