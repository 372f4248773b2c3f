/** What kind of image bytes from elsewhere are. */
import { headerTurns, legible, pictureLibrary, pictureTooLarge, pictureUnreadable } from './decoding.ts';

/** Of one frame: a few bytes can claim any size, and readers' browsers would reserve memory for it. */
const MAX_PIXELS = 50_000_000;

/** The formats that browsers show and that run nothing, by their first bytes, with the library's name of each. */
const FORMATS: readonly { readonly type: string; readonly name: string; matches(head: string): boolean }[] = [
  { type: 'image/png', name: 'png', matches: (head) => head.startsWith('\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', name: 'jpeg', matches: (head) => head.startsWith('\xff\xd8\xff') },
  { type: 'image/gif', name: 'gif', matches: (head) => /^GIF8[79]a/.test(head) },
  { type: 'image/webp', name: 'webp', matches: (head) => head.startsWith('RIFF') && head.endsWith('WEBP') },
  { type: 'image/avif', name: 'heif', matches: (head) => /^ftypavi[fs]$/.test(head.slice(4)) },
];

/**
 * The content type of a PNG, JPEG, GIF, WebP or AVIF image, by its first bytes and its header. The library sees nothing else: it also reads
 * formats that are slow to look at.
 * @throws ApiError `BAD_IMAGE`: none of these, broken, or too large when decoded
 */
export async function rasterType(content: Buffer): Promise<string> {
  const head = content.toString('latin1', 0, 12);
  const format = FORMATS.find(({ matches }) => matches(head));
  if (format === undefined) throw pictureUnreadable();
  return headerTurns.run('all', async () => {
    const sharp = await pictureLibrary();
    const metadata = await legible(() => sharp(content, { limitInputPixels: false }).metadata());
    if (metadata.format !== format.name) throw pictureUnreadable();
    if (metadata.width * (metadata.pageHeight ?? metadata.height) > MAX_PIXELS) throw pictureTooLarge();
    return format.type;
  });
}
