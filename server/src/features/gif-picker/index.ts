import { notExported } from '../../extension/exports.ts';
import type { Feature } from '../../extension/feature.ts';
import { gifPickerRoutes } from './routes.ts';
import { gifPickerState } from './state.ts';

export const gifPicker: Feature = {
  routes: gifPickerRoutes,
  state: (app) => [gifPickerState(app)],
  exports: [...notExported('the key of the organization at another service', 'gif_pickers')],
};
