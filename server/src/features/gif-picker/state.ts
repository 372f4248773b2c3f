import type { gifPicker } from '@heddle/api/objects/gif.ts';
import type { Static } from 'typebox';
import type { AppContext } from '../../extension/app-context.ts';
import { statePart } from '../../extension/initial-state.ts';
import { disabledPart } from './availability.ts';
import { selectGifPicker } from './queries.ts';

/** Other clients do not know the field. Spectators write nothing. */
export function gifPickerState({ config }: Pick<AppContext, 'config'>) {
  const isEnabled = disabledPart(config) === undefined;
  return statePart<Static<typeof gifPicker>>({
    types: ['realm'],
    select: ({ organizationId }) => selectGifPicker(organizationId),
    build: ({ settings: { capabilities } }, picker) =>
      capabilities.gifPicker ? { realm_gif_picker: isEnabled ? picker : null } : {},
  });
}
