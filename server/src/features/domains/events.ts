import type { Presenter } from '../../directory/presenters.ts';
import type { Domain } from '../../domain/texts/address-rules/rules.ts';
import type { NewEvent } from '../../log/event.ts';

type DomainsEvent =
  | { readonly op: 'add' | 'change'; readonly domain: Domain }
  | { readonly op: 'remove'; readonly name: string };

export function domainsEvent(body: DomainsEvent): NewEvent {
  return { type: 'realm_domains', audience: { to: 'everyone' }, body };
}

export const domainsPresenter: Presenter = {
  present(event) {
    const body = event.body as DomainsEvent;
    return body.op === 'remove'
      ? { type: 'realm_domains', op: body.op, domain: body.name }
      : { type: 'realm_domains', op: body.op, realm_domain: body.domain };
  },
};
