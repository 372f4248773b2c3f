/** Makes pictures of phones smaller before they are uploaded. */

/** The longer edge of a picture that is uploaded. Screens show less. */
const MAX_EDGE_PIXELS = 2048;
const JPEG_QUALITY_PERCENT = 85;
/** Animations say so at the beginning of the file. */
const HEAD_BYTES = 64 * 1024;

const SCALABLE_TYPES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/webp']);

/** The picture with fewer pixels, as it is seen: the canvas knows no turned pictures. Undefined if it stays as it is. */
export async function scaledPicture(file: File): Promise<File | undefined> {
  if (!SCALABLE_TYPES.has(file.type) || (await isAnimated(file))) return undefined;
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' });
  try {
    const factor = MAX_EDGE_PIXELS / Math.max(picture.width, picture.height);
    if (factor >= 1) return undefined;
    const blob = await drawn(picture, factor, file.type);
    // Browsers that cannot write the type write another one.
    if (blob === null || blob.type !== file.type || blob.size >= file.size) return undefined;
    return new File([blob], file.name, { type: file.type, lastModified: file.lastModified });
  } finally {
    picture.close();
  }
}

function drawn(picture: ImageBitmap, factor: number, type: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * factor));
  canvas.height = Math.max(1, Math.round(picture.height * factor));
  const context = canvas.getContext('2d');
  if (context === null) return Promise.resolve(null);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, type, JPEG_QUALITY_PERCENT / 100));
}

/** Whether a PNG or WebP moves. A canvas would keep its first picture only. */
async function isAnimated(file: File): Promise<boolean> {
  const mark = file.type === 'image/png' ? 'acTL' : file.type === 'image/webp' ? 'ANIM' : undefined;
  if (mark === undefined) return false;
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  return new TextDecoder('latin1').decode(head).includes(mark);
}
