import { stateOfAll } from '../../../extension/initial-state.ts';
import { presentLinkifier } from './present.ts';
import { linkifiersOf } from './queries.ts';

export const linkifiersState = [
  stateOfAll({
    types: ['realm_linkifiers'],
    build: ({ directory, settings }) => ({
      realm_linkifiers: settings.capabilities.linkifierUrlTemplate ? linkifiersOf(directory).map(presentLinkifier) : [],
    }),
  }),
  stateOfAll({ types: ['realm_filters'], build: () => ({ realm_filters: [] }) }),
];
