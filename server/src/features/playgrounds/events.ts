import type { Presenter } from '../../directory/presenters.ts';
import type { PlaygroundRecord } from '../../directory/records.ts';
import { presentPlayground } from './queries.ts';

/** What `realm_playgrounds` events carry in the log: all of them. */
export interface PlaygroundsBody {
  readonly playgrounds: readonly PlaygroundRecord[];
}

export const playgroundsPresenter: Presenter = {
  present({ body }) {
    const { playgrounds } = body as PlaygroundsBody;
    return { type: 'realm_playgrounds', realm_playgrounds: playgrounds.map(presentPlayground) };
  },
};
