import * as gifs from '@heddle/api/endpoints/gif-picker.ts';
import { type AccessRow, row } from '../../testing/access/access-row.ts';

export const rows: readonly AccessRow[] = [
  row(gifs.updateGifPicker, 'to none', '++pppp uuxu', () => ({ service: 'none' })),
  row(gifs.searchGifs, 'without a service', 'bbbbbb uuxu', () => ({ query: 'cats' })),
  row(gifs.chooseGif, 'without a service', 'bbbbbb uuxu', () => ({ gif: 'a.b' })),
];
