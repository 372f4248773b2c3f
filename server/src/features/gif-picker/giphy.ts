/** The API of Giphy (https://developers.giphy.com/docs/api/endpoint, "Search Endpoint", "Trending Endpoint", "GIF Object"). */
import { fieldOf, gifOf, gifsOf, MAX_GIFS_PER_PAGE, type Rendition, type Service } from './service.ts';

/** Of a search, in characters. */
const MAX_QUERY_LENGTH = 50;
/** The service has no results behind it. */
const MAX_OFFSET_GIFS = 4999;

export const giphy: Service = {
  request(key, { query, position, rating, language }) {
    const common = { api_key: key, limit: String(MAX_GIFS_PER_PAGE), offset: position ?? '0', rating };
    if (query === '') return { path: '/v1/gifs/trending', query: common };
    const q = [...query].slice(0, MAX_QUERY_LENGTH).join('');
    return { path: '/v1/gifs/search', query: { ...common, q, lang: language } };
  },

  page(body, { position }) {
    const list = fieldOf(body, 'data');
    const gifs = gifsOf(list, (one) => {
      const rendition = renditionsOf(fieldOf(one, 'images'));
      return gifOf(fieldOf(one, 'alt_text') || fieldOf(one, 'title'), {
        full: ['downsized', 'original', 'fixed_height'].map(rendition),
        preview: ['fixed_height_small', 'fixed_height', 'downsized'].map(rendition),
        still: ['fixed_height_small_still', 'fixed_height_still', 'original_still'].map(rendition),
      });
    });
    const next = Number(position ?? 0) + (list as readonly unknown[]).length;
    const total = Number(fieldOf(fieldOf(body, 'pagination'), 'total_count'));
    const isEnd = (list as readonly unknown[]).length === 0 || next > MAX_OFFSET_GIFS || next >= total;
    return { gifs, next: isEnd ? null : String(next) };
  },
};

function renditionsOf(images: unknown) {
  return (name: string): Rendition => {
    const one = fieldOf(images, name);
    return {
      url: fieldOf(one, 'url'),
      width: fieldOf(one, 'width'),
      height: fieldOf(one, 'height'),
      bytes: fieldOf(one, 'size'),
    };
  };
}
