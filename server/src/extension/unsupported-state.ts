import { UNSUPPORTED } from '@heddle/api/state/unsupported.ts';
import { type StatePart, stateOfAll } from './initial-state.ts';

const byType = Map.groupBy(Object.entries(UNSUPPORTED), ([, { type }]) => type);

/** The initial state of features that Heddle lacks: one part per event type that selects some of it. */
export const unsupportedState: readonly StatePart[] = [...byType].map(([type, fields]) =>
  stateOfAll({
    types: [type],
    build: () => Object.fromEntries(fields.map(([name, { empty }]) => [name, empty()])),
  }),
);
