/** Pictures of archives: avatars, emoji, and the sizes of uploaded pictures. */
import { drawAvatar } from '@heddle/server/domain/accounts/avatars/drawing.ts';
import { readPictures } from '@heddle/server/domain/texts/emoji/pictures.ts';
import { pictureLibrary } from '@heddle/server/pictures/decoding.ts';
import type { ImportReport } from '../report.ts';
import type { NeutralArchive } from './neutral-archive.ts';

/** Bytes of a picture that is read whole. */
const MAX_PICTURE_BYTES = 20 * 1024 * 1024;
const MAX_PIXELS = 100_000_000;

export async function bytesOfPicture(
  archive: Pick<NeutralArchive, 'bytesOf' | 'open'>,
  path: string,
): Promise<Buffer | undefined> {
  const size = archive.bytesOf(path);
  if (size === undefined || size > MAX_PICTURE_BYTES) return undefined;
  return Buffer.concat(await (await archive.open(path)).toArray());
}

/** Undefined, with a line of the report, if it is missing or no picture. */
export async function readAvatar(archive: NeutralArchive, path: string, report: ImportReport) {
  const bytes = await bytesOfPicture(archive, path);
  const drawn = bytes && (await drawAvatar(bytes).catch(() => undefined));
  if (drawn === undefined) report.skip('Pictures of users that are missing, or not pictures', path);
  return drawn;
}

export async function readEmoji(archive: NeutralArchive, path: string, report: ImportReport) {
  const bytes = await bytesOfPicture(archive, path);
  const drawn = bytes && (await readPictures(bytes).catch(() => undefined));
  if (drawn === undefined) report.skip('Custom emoji that are missing, or not pictures', path);
  return drawn;
}

const PICTURES = /^image\/(?:png|jpeg|gif|webp|avif|tiff)$/;

/** The size of an uploaded picture; null if it is none. */
export async function readSize(archive: NeutralArchive, path: string, contentType: string) {
  if (!PICTURES.test(contentType)) return null;
  const bytes = await bytesOfPicture(archive, path);
  if (bytes === undefined) return null;
  const sharp = await pictureLibrary();
  const metadata = await sharp(bytes, { limitInputPixels: MAX_PIXELS })
    .metadata()
    .catch(() => undefined);
  if (metadata === undefined) return null;
  const { width, height } = metadata.autoOrient;
  const frames = metadata.format === 'gif' || metadata.format === 'webp' ? (metadata.pages ?? 1) : 1;
  const shownHeight = frames > 1 ? (metadata.pageHeight ?? height) : height;
  return width * shownHeight > MAX_PIXELS ? null : { width, height: shownHeight, frames };
}
