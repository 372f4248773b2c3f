/** What the services of GIFs have in common. */
import type { gifPicker } from '@heddle/api/objects/gif.ts';
import type { Static } from 'typebox';
import { MAX_URL_LENGTH } from '../../domain/texts/external-images/signing.ts';

type Settings = NonNullable<Static<typeof gifPicker>>;
export type ServiceName = Settings['service'];
export type Rating = Settings['rating'];

export interface Search {
  /** Empty: what is popular. */
  readonly query: string;
  /** `next` of the previous page; undefined for the first one. */
  readonly position: string | undefined;
  readonly rating: Rating;
  /** ISO 639-1. */
  readonly language: string;
}

export interface ServiceGif {
  readonly title: string;
  /** Of the preview. */
  readonly width: number;
  readonly height: number;
  /** The GIF that messages get. */
  readonly url: string;
  readonly previewUrl: string;
  /** The preview without motion, if there is one. */
  readonly stillUrl: string | null;
}

export interface GifPage {
  readonly gifs: readonly ServiceGif[];
  readonly next: string | null;
}

export interface Service {
  /** The address of the request, relative to that of the service. It contains the key. */
  request(key: string, search: Search): { readonly path: string; readonly query: Readonly<Record<string, string>> };
  /** @param body the JSON of the response */
  page(body: unknown, search: Search): GifPage;
}

export const MAX_GIFS_PER_PAGE = 24;
/** Of a GIF in a message. The server fetches no larger pictures. */
export const MAX_GIF_BYTES = 5 * 1024 * 1024;
const MAX_TITLE_LENGTH = 200;
const MAX_PIXELS = 2000;
const DEFAULT_PIXELS = 120;

/** A picture of a service. Services write numbers also as strings. */
export interface Rendition {
  readonly url: unknown;
  readonly width: unknown;
  readonly height: unknown;
  readonly bytes: unknown;
}

/**
 * A GIF of its renditions; undefined if the service has not enough of them.
 * @param full in the order of preference
 */
export function gifOf(
  title: unknown,
  renditions: {
    readonly full: readonly Rendition[];
    readonly preview: readonly Rendition[];
    readonly still: readonly Rendition[];
  },
): ServiceGif | undefined {
  const usable = (one: Rendition) => isUrl(one.url) && !(Number(one.bytes) > MAX_GIF_BYTES);
  const full = renditions.full.find(usable);
  const preview = renditions.preview.find(usable);
  if (full === undefined || preview === undefined) return undefined;
  return {
    title: typeof title === 'string' ? [...title.trim()].slice(0, MAX_TITLE_LENGTH).join('') : '',
    width: pixels(preview.width),
    height: pixels(preview.height),
    url: String(full.url),
    previewUrl: String(preview.url),
    stillUrl: String(renditions.still.find(usable)?.url ?? '') || null,
  };
}

function isUrl(given: unknown): boolean {
  return typeof given === 'string' && given.length <= MAX_URL_LENGTH && /^https?:\/\//.test(given);
}

function pixels(given: unknown): number {
  const size = Math.round(Number(given));
  return size >= 1 && size <= MAX_PIXELS ? size : DEFAULT_PIXELS;
}

/** A field of something that another server has sent. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

/** At most a page of GIFs of a list that another server has sent. */
export function gifsOf(list: unknown, read: (one: unknown) => ServiceGif | undefined): readonly ServiceGif[] {
  if (!Array.isArray(list)) throw new TypeError('no list of GIFs');
  return list.slice(0, MAX_GIFS_PER_PAGE).flatMap((one) => read(one) ?? []);
}
