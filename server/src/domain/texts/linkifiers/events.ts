import type { Presenter } from '../../../directory/presenters.ts';
import type { LinkifierRecord } from '../../../directory/records.ts';
import { presentLinkifier } from './present.ts';

/** The body of `realm_linkifiers` events, which lists all linkifiers. */
export interface LinkifiersBody {
  readonly linkifiers: readonly LinkifierRecord[];
}

/** Clients without the capability do not know URL templates, so they get no linkifiers. */
export const linkifiersPresenter: Presenter = {
  wants: (_, { settings }) => settings.capabilities.linkifierUrlTemplate,
  present({ body }) {
    const { linkifiers } = body as LinkifiersBody;
    return { type: 'realm_linkifiers', realm_linkifiers: linkifiers.map(presentLinkifier) };
  },
};
