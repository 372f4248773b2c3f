/**
 * The API of Tenor, version 2 (https://developers.google.com/tenor/guides/endpoints, "Search", "Featured";
 * …/response-objects-and-errors; …/content-filtering).
 */
import { fieldOf, gifOf, gifsOf, MAX_GIFS_PER_PAGE, type Rating, type Rendition, type Service } from './service.ts';

const FILTERS: Readonly<Record<Rating, string>> = { g: 'high', pg: 'medium', 'pg-13': 'low', r: 'off' };

export const tenor: Service = {
  request(key, { query, position, rating, language }) {
    const common = {
      key,
      client_key: 'heddle',
      limit: String(MAX_GIFS_PER_PAGE),
      contentfilter: FILTERS[rating],
      locale: language,
      ...(position !== undefined && { pos: position }),
    };
    return query === ''
      ? { path: '/v2/featured', query: common }
      : { path: '/v2/search', query: { ...common, q: query } };
  },

  page(body) {
    const gifs = gifsOf(fieldOf(body, 'results'), (one) => {
      const rendition = renditionsOf(fieldOf(one, 'media_formats'));
      return gifOf(fieldOf(one, 'content_description') || fieldOf(one, 'title'), {
        full: ['mediumgif', 'gif', 'tinygif'].map(rendition),
        preview: ['tinygif', 'nanogif'].map(rendition),
        still: ['tinygifpreview', 'gifpreview', 'preview', 'nanogifpreview'].map(rendition),
      });
    });
    const next = fieldOf(body, 'next');
    return { gifs, next: isPosition(next) ? next : null };
  },
};

const MAX_POSITION_BYTES = 500;

function isPosition(given: unknown): given is string {
  return typeof given === 'string' && given !== '' && Buffer.byteLength(given) <= MAX_POSITION_BYTES;
}

function renditionsOf(formats: unknown) {
  return (name: string): Rendition => {
    const one = fieldOf(formats, name);
    const dims = fieldOf(one, 'dims');
    const [width, height] = Array.isArray(dims) ? dims : [];
    return { url: fieldOf(one, 'url'), width, height, bytes: fieldOf(one, 'size') };
  };
}
