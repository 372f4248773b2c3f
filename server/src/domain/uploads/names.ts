import { randomBytes } from 'node:crypto';
import { cleanFileName } from '../../http/bodies/file-bodies.ts';

/** Bytes of a file's name in its address. */
const MAX_NAME_BYTES = 255;

/**
 * The address of a new file below `/user_uploads/`: the organization, 144 random bits, and a name that is valid in an
 * address, on a disk and in a header.
 */
export function newPathId(organizationId: number, name: string): string {
  const random = randomBytes(19);
  return `${organizationId}/${random.subarray(18).toString('hex')}/${random.subarray(0, 18).toString('base64url')}/${nameInPath(name)}`;
}

/** Keeps letters and digits of any script, dots, dashes and underscores. White space becomes dashes. */
function nameInPath(name: string): string {
  const kept = name
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}_\s.-]/gu, '')
    .trim()
    .replaceAll(/[-\s]+/g, '-');
  const short = cleanFileName(kept).slice(0, MAX_NAME_BYTES);
  return /^\.*$/.test(kept) || short === '' ? 'uploaded-file' : short;
}

export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Addresses per text. Further ones are ignored. */
const MAX_FILES_PER_TEXT = 200;

/**
 * The addresses of files that a text may link to, below `/user_uploads/`. This can be too many: the renderer decides
 * what is a link.
 */
export function filesNamedIn(content: string): readonly string[] {
  if (!content.includes('user_uploads/')) return [];
  const named = new Set<string>();
  for (const [, path = ''] of content.matchAll(/user_uploads\/(\d+\/[^\s()[\]<>"'`\\?#]{1,1000})/g)) {
    named.add(decoded(path));
    named.add(decoded(withoutPunctuation(path)));
    if (named.size >= MAX_FILES_PER_TEXT) break;
  }
  return [...named];
}

/** Removes punctuation that follows an address in a sentence. */
function withoutPunctuation(path: string): string {
  let end = path.length;
  while (end > 0 && '.,;:!*_~'.includes(path.charAt(end - 1))) end -= 1;
  return path.slice(0, end);
}

/** The type of files whose type is unknown. */
const UNKNOWN = 'application/octet-stream';

const BY_ENDING: Readonly<Record<string, string>> = {
  aac: 'audio/aac',
  apng: 'image/apng',
  avif: 'image/avif',
  flac: 'audio/flac',
  gif: 'image/gif',
  heic: 'image/heic',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  m4a: 'audio/mp4',
  mp3: 'audio/mpeg',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  txt: 'text/plain',
  wav: 'audio/wav',
  weba: 'audio/webm',
  webm: 'video/webm',
  webp: 'image/webp',
};

/** The type from the client, without parameters. If the client sends none, the name decides. */
export function contentTypeOf(declaredType: string | undefined, name: string): string {
  const type = (declaredType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/^[a-z0-9][\w.+-]{0,63}\/[a-z0-9][\w.+-]{0,99}$/.test(type) && type !== UNKNOWN) return type;
  const ending = name.split('.').at(-1)?.toLowerCase() ?? '';
  return (Object.hasOwn(BY_ENDING, ending) ? BY_ENDING[ending] : undefined) ?? UNKNOWN;
}

/** Types that browsers show without running code (public reference). All other files are only saved, as bytes. */
const SHOWN = new Set([
  'application/pdf',
  'audio/aac',
  'audio/flac',
  'audio/mp4',
  'audio/mpeg',
  'audio/wav',
  'audio/webm',
  'image/apng',
  'image/avif',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/webp',
  'text/plain',
  'video/mp4',
  'video/webm',
]);

export function isShown(contentType: string): boolean {
  return SHOWN.has(contentType);
}

/** The type in the response. A type that is not shown could be a page or script that runs on our origin. */
export function servedType(contentType: string): string {
  if (!isShown(contentType)) return UNKNOWN;
  return contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType;
}
