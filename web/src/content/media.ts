import type { MediaItem } from './lightbox-target.ts';

const PREVIEW = '.message_inline_image';

/** The pictures and films that a message shows, in their order. */
export function mediaOf(root: ParentNode): readonly MediaItem[] {
  return [...root.querySelectorAll<HTMLElement>(PREVIEW)].flatMap((preview) => mediaItemOf(preview) ?? []);
}

export function mediaItemOf(preview: HTMLElement): MediaItem | undefined {
  const link = preview.querySelector('a');
  const shown = preview.querySelector<HTMLImageElement | HTMLVideoElement>('img, video');
  const href = link?.getAttribute('href');
  if (href === null || href === undefined || shown === null) return undefined;
  const isVideo = shown.localName === 'video';
  const thumbnail = isVideo ? undefined : (shown.dataset.still ?? shown.getAttribute('src') ?? undefined);
  return {
    kind: isVideo ? 'video' : 'image',
    href,
    source: sourceOf(href, shown),
    thumbnail,
    name: nameOf(href, link?.title),
    size: sizeOf(shown),
  };
}

/** Browsers cannot show all formats. The server converts those, beside the thumbnail. Pictures of other servers come through a proxy. */
function sourceOf(href: string, shown: HTMLElement): string {
  const source = shown.getAttribute('src') ?? '';
  const { transcodedImage } = shown.dataset;
  if (transcodedImage !== undefined) return source.replace(/[^/]*$/, transcodedImage);
  return href.startsWith('/') ? href : source;
}

/** In pixels. */
export function sizeOf(shown: HTMLElement): MediaItem['size'] {
  const [, width, height] = /^(\d{1,6})x(\d{1,6})$/.exec(shown.dataset.originalDimensions ?? '') ?? [];
  const size = { width: Number(width), height: Number(height) };
  return size.width > 0 && size.height > 0 ? size : undefined;
}

/** The name of a file by the title of its link, else by its address. */
export function nameOf(href: string, title: string | undefined): string {
  if (title !== undefined && title !== '') return title;
  const path = href.replace(/[?#].*$/, '');
  const last = path.slice(path.lastIndexOf('/') + 1);
  try {
    return decodeURIComponent(last) || href;
  } catch {
    return last;
  }
}
