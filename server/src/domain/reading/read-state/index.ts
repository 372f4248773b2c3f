import type { Feature } from '../../../extension/feature.ts';
import { flagsPresenter } from './events.ts';
import { readStateExports } from './exports.ts';
import { readStateRoutes } from './routes.ts';
import { readStateParts } from './state.ts';

export const readState: Feature = {
  routes: readStateRoutes,
  state: () => readStateParts,
  presenters: { update_message_flags: flagsPresenter },
  exports: readStateExports,
};
