import Type from 'typebox';
import { gifPicker } from '../objects/gif.ts';

/** Of Heddle alone, for clients with the capability `gif_picker`. */
export const gifPickerState = { realm_gif_picker: Type.Optional(gifPicker) };
