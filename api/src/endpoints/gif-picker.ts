import Type from 'typebox';
import { text } from '../bounds.ts';
import { defaulted, defineEndpoint, optional, required } from '../contract.ts';
import { chosenGif, gif, gifRating, gifServiceOrNone } from '../objects/gif.ts';

const AREA = 'GIFs';

/** Maximum length of the key of a service, in characters. */
const MAX_KEY_LENGTH = 200;
/** Maximum length of a search, in characters. Giphy gets the first 50. */
const MAX_QUERY_LENGTH = 100;
/** Maximum length of a position, in characters. Its signature and 500 bytes of the service need 711. */
const MAX_POSITION_LENGTH = 1000;

export const updateGifPicker = defineEndpoint({
  operationId: 'update-gif-picker',
  method: 'PATCH',
  path: '/realm/gif_picker',
  area: AREA,
  summary: "Change the organization's service of GIFs",
  description:
    'Of Heddle alone, for administrators. Another service needs its `api_key`. No response, event or export contains the key. `none` deletes it.',
  authentication: 'required',
  parameters: {
    service: optional(gifServiceOrNone),
    api_key: optional(text({ minLength: 1, maxLength: MAX_KEY_LENGTH }), {
      description: 'The key of the organization at the service',
    }),
    rating: optional(gifRating, { description: 'The default is `g`' }),
  },
  response: Type.Object({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
});

export const searchGifs = defineEndpoint({
  operationId: 'search-gifs',
  method: 'GET',
  path: '/gifs',
  area: AREA,
  summary: 'Search GIFs',
  description:
    "Of Heddle alone. The server asks the organization's service. So the service learns nothing about the user but the search and the language.",
  authentication: 'required',
  parameters: {
    query: defaulted(text({ maxLength: MAX_QUERY_LENGTH }), '', { description: 'Without it: what is popular' }),
    position: optional(text({ minLength: 1, maxLength: MAX_POSITION_LENGTH }), {
      description: '`next` of the previous page of the same search',
    }),
  },
  response: Type.Object({
    gifs: Type.Array(gif),
    next: Type.Union([Type.String(), Type.Null()], { description: 'The position of the next page; null at the end' }),
  }),
  errors: ['GIF_SERVICE_FAILED'],
});

export const chooseGif = defineEndpoint({
  operationId: 'choose-gif',
  method: 'POST',
  path: '/gifs',
  area: AREA,
  summary: 'Upload a found GIF',
  description:
    'Of Heddle alone. The server fetches the GIF and keeps it as an uploaded file of the user. Messages link to it as to other files, so readers still see it when the service has ended.',
  authentication: 'required',
  parameters: { gif: required(chosenGif, { description: '`gif` of a result of `search-gifs`' }) },
  response: Type.Object({ url: Type.String({ description: 'The path of the file' }), filename: Type.String() }),
  errors: ['GIF_SERVICE_FAILED', 'REALM_UPLOAD_QUOTA'],
});
