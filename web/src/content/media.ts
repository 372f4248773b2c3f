import type { MediaItem } from './lightbox-target.ts';

const PREVIEW = '.message_inline_image';

/** A link to an uploaded file. */
const FILE_LINK = 'a[href^="/user_uploads/"]';

/** Endings of files that every browser shows. */
const KINDS: Readonly<Record<MediaItem['kind'], RegExp>> = {
  image: /\.(?:avif|bmp|gif|jpe?g|png|webp)$/i,
  video: /\.(?:m4v|mov|mp4|webm)$/i,
};

/** The pictures and films that a message shows, in their order. */
export function previewsOf(root: ParentNode): readonly MediaItem[] {
  return [...root.querySelectorAll<HTMLElement>(PREVIEW)].flatMap((preview) => mediaItemOf(preview) ?? []);
}

/** The pictures and films of a message, in their order: those that it shows, and files that it links to. */
export function mediaOf(root: ParentNode): readonly MediaItem[] {
  const shown = new Set(previewsOf(root).map(({ href }) => href));
  const found = new Map<string, MediaItem>();
  for (const element of root.querySelectorAll<HTMLElement>(`${PREVIEW}, ${FILE_LINK}`)) {
    const item = element.matches(PREVIEW) ? mediaItemOf(element) : linkedItem(element, shown);
    if (item !== undefined) found.set(item.href, found.get(item.href) ?? item);
  }
  return [...found.values()];
}

function linkedItem(link: HTMLElement, shown: ReadonlySet<string>): MediaItem | undefined {
  const href = link.getAttribute('href') ?? '';
  const kind = kindOfFile(href);
  if (kind === undefined || shown.has(href)) return undefined;
  const name = link.querySelector('.file-name')?.textContent ?? link.textContent ?? '';
  return { kind, href, source: href, thumbnail: undefined, name: nameOf(href, name.trim()), size: undefined };
}

/** What the lightbox can show of a file; undefined for other files. */
export function kindOfFile(href: string): MediaItem['kind'] | undefined {
  return (['image', 'video'] as const).find((kind) => KINDS[kind].test(href));
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
