import Type from 'typebox';
import { text } from '../bounds.ts';

const gifService = Type.Union([Type.Literal('tenor'), Type.Literal('giphy')]);
export const gifServiceOrNone = Type.Union([Type.Literal('none'), ...gifService.anyOf]);

/** The audience of the shown GIFs, with the names of the Motion Picture Association. */
export const gifRating = Type.Union([Type.Literal('g'), Type.Literal('pg'), Type.Literal('pg-13'), Type.Literal('r')]);

/** The service of an organization. Its key is never in a response. */
export const gifPicker = Type.Union([Type.Object({ service: gifService, rating: gifRating }), Type.Null()], {
  description: 'Null if the organization has no GIF picker',
});

/** An address on this server at which everybody in the organization gets a picture of the service. */
const picturePath = Type.String({ description: 'A path on this server' });

export const gif = Type.Object({
  gif: Type.String({ description: 'For `choose-gif`' }),
  title: Type.String({ description: 'What the GIF shows, in words. It may be empty' }),
  width: Type.Integer({ description: 'Of the preview, in pixels' }),
  height: Type.Integer(),
  preview_url: picturePath,
  still_url: Type.Union([picturePath, Type.Null()], { description: 'The same without motion, if the service has it' }),
});

/** The `gif` of a found GIF. It has an address of at most 2,048 characters and a title. */
export const chosenGif = text({ maxLength: 5000 });
