import { t } from '../base/i18n.ts';
import { loadedCode } from '../base/load-code.ts';
import { kindOfFile, mediaItemOf, nameOf, previewsOf } from './media.ts';
import { element, icon } from './nodes.ts';

/** When animated pictures move: the values of the setting `web_animate_image_previews`. */
export type Animation = 'always' | 'on_hover' | 'never';

/** The largest preview, in pixels at a usual font size. */
const MAX_PREVIEW = { width: 420, height: 192 };
/** Smaller pictures stand in a box of this size, so that fingers can hit them. */
const MIN_SIDE_PIXELS = 40;
const PIXELS_PER_REM = 16;
/** A gallery shows so many. The last one says how many more there are. */
const MAX_PICTURES_PER_GALLERY = 6;

/** Names pictures and films, reserves their size before they load, and puts neighbours into a gallery. */
export function decorateMedia(root: ParentNode, animation: Animation): void {
  for (const preview of root.querySelectorAll<HTMLElement>('.message_inline_image')) {
    decoratePreview(preview, animation);
    joinGallery(preview);
  }
  for (const gallery of root.querySelectorAll<HTMLElement>('.message-gallery')) arrange(gallery);
  for (const link of root.querySelectorAll<HTMLAnchorElement>('a[href^="/user_uploads/"]')) playRecording(link);
  for (const audio of root.querySelectorAll('audio')) decorateAudio(audio);
  const shown = new Set(previewsOf(root).map(({ href }) => href));
  for (const link of root.querySelectorAll<HTMLAnchorElement>('a[href^="/user_uploads/"]')) decorateFile(link, shown);
  if (shown.size > 0) for (const paragraph of root.querySelectorAll('p')) hideRepeated(paragraph, shown);
}

/** The title of a preview leads to the same website as its image, so one of them is enough for keyboards and screen readers. */
export function decorateEmbeds(root: ParentNode): void {
  for (const image of root.querySelectorAll<HTMLElement>('.message_embed_image')) {
    image.tabIndex = -1;
    image.ariaHidden = 'true';
  }
}

function decoratePreview(preview: HTMLElement, animation: Animation): void {
  const item = mediaItemOf(preview);
  const link = preview.querySelector('a');
  const shown = preview.querySelector<HTMLImageElement | HTMLVideoElement>('img, video');
  if (item === undefined || link === null || shown === null) return;
  const { name } = item;
  const label = item.kind === 'image' ? t('Open picture {name}', { name }) : t('Open video {name}', { name });
  link.setAttribute('aria-label', label);
  link.dataset.action = 'open-media';
  link.title = name;
  if (item.size !== undefined) reserve(link, item.size);
  if (shown instanceof HTMLImageElement) {
    shown.alt = '';
    shown.loading = 'lazy';
    shown.decoding = 'async';
    shown.draggable = false;
    if (shown.dataset.animated !== undefined) keepStill(shown, animation);
    if (shown.classList.contains('image-loading-placeholder')) link.setAttribute('aria-busy', 'true');
  } else {
    shown.tabIndex = -1;
    // The frame at the beginning is often black.
    shown.src = `${shown.getAttribute('src')}#t=0.1`;
  }
}

/** Gives the preview its final size. On narrow screens it shrinks with its proportions. */
function reserve(link: HTMLElement, { width, height }: { readonly width: number; readonly height: number }): void {
  const scale = Math.min(1, MAX_PREVIEW.width / width, MAX_PREVIEW.height / height);
  const box = { width: Math.max(MIN_SIDE_PIXELS, width * scale), height: Math.max(MIN_SIDE_PIXELS, height * scale) };
  link.classList.add('sized');
  link.style.width = `${box.width / PIXELS_PER_REM}rem`;
  link.style.aspectRatio = String(box.width / box.height);
}

/** The server has a still picture beside each animated one. */
function keepStill(image: HTMLImageElement, animation: Animation): void {
  const moving = image.getAttribute('src') ?? '';
  const still = moving.replace(/-anim\.webp$/, '.webp');
  image.dataset.moving = moving;
  image.dataset.still = still;
  const prefersStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (animation === 'never' || animation === 'on_hover' || prefersStill) image.setAttribute('src', still);
  if (animation === 'on_hover' && !prefersStill) image.dataset.movesOnHover = '';
}

/** Several previews in a row stand side by side. */
function joinGallery(preview: HTMLElement): void {
  const before = preview.previousElementSibling;
  if (before?.classList.contains('message-gallery')) {
    before.append(preview);
    return;
  }
  const next = preview.nextElementSibling;
  if (!next?.classList.contains('message_inline_image')) return;
  const gallery = element('div', { class: 'message-gallery' });
  preview.replaceWith(gallery);
  gallery.append(preview);
}

/** The pictures of a gallery form a grid. All cells have one size, so nothing moves when they load. */
function arrange(gallery: HTMLElement): void {
  const previews = [...gallery.children].filter((child) => child instanceof HTMLElement);
  gallery.dataset.columns = previews.length === 2 || previews.length === 4 ? '2' : '3';
  for (const preview of previews) {
    const link = preview.querySelector('a');
    link?.removeAttribute('style');
    link?.classList.remove('sized');
  }
  const hidden = previews.slice(MAX_PICTURES_PER_GALLERY);
  for (const preview of hidden) preview.hidden = true;
  const last = previews[MAX_PICTURES_PER_GALLERY - 1]?.querySelector('a');
  if (hidden.length === 0 || !last) return;
  last.dataset.more = `+${hidden.length}`;
  const open = last.getAttribute('aria-label') ?? '';
  last.setAttribute(
    'aria-label',
    t('{open}, and {count, plural, one {# more} other {# more}}', { open, count: hidden.length }),
  );
}

/** What phones record. The server makes players of other formats only. */
const RECORDINGS = /\.(?:m4a|weba)$/i;

/** A link to a recording becomes a player. */
function playRecording(link: HTMLAnchorElement): void {
  const href = link.getAttribute('href') ?? '';
  if (!RECORDINGS.test(href) || link.childElementCount > 0) return;
  link.replaceWith(element('audio', { controls: '', preload: 'metadata', src: href, title: link.textContent }));
}

function decorateAudio(audio: HTMLAudioElement): void {
  const href = audio.getAttribute('src') ?? '';
  const name = nameOf(href, audio.title);
  audio.setAttribute('aria-label', t('Audio {name}', { name }));
  const link = element('a', { href, class: 'audio-name', download: '' }, name);
  const box = element('span', { class: 'message-audio' }, link);
  const waveform = element('span', { class: 'waveform', 'aria-hidden': 'true' });
  audio.replaceWith(box);
  box.append(waveform, audio);
  void loadedCode(() => import('./waveform.ts')).then(({ showWaveform }) => showWaveform(waveform));
}

/** A link to a file that the message does not show is a card with the name and the type of the file. */
function decorateFile(link: HTMLAnchorElement, shown: ReadonlySet<string>): void {
  const href = link.getAttribute('href') ?? '';
  const isShown = shown.has(href) || link.classList.contains('audio-name');
  if (isShown || link.childElementCount > 0) return;
  const [, ending] = /\.([a-z0-9]{1,8})$/i.exec(href) ?? [];
  link.classList.add('file-card');
  if (kindOfFile(href) !== undefined) link.dataset.action = 'open-media';
  const parts = [icon('file'), element('span', { class: 'file-name' }, link.textContent || nameOf(href, undefined))];
  if (ending !== undefined) parts.push(element('span', { class: 'file-type' }, ending.toUpperCase()));
  link.replaceChildren(...parts);
}

/** A paragraph of nothing but links to pictures that follow says the same twice. The pictures have these names. */
function hideRepeated(paragraph: HTMLElement, shown: ReadonlySet<string>): void {
  const links = [...paragraph.children];
  const isRepeated = (child: Element) => child.localName === 'a' && shown.has(child.getAttribute('href') ?? '');
  if (links.length === 0 || !links.every((child) => child.localName === 'br' || isRepeated(child))) return;
  const text = [...paragraph.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
  if (text.every((node) => node.textContent?.trim() === '')) paragraph.hidden = true;
}
