/** People who write to a workspace, and their companies. */
import { facts } from '../../facts.ts';
import type { Delivery, Rendered } from '../../integration.ts';
import { bold, cut, joined, md } from '../../markdown.ts';
import { nameOf } from './conversations.ts';

/** What happened, by the topic. `user` and `visitor` are names of older versions of the API. */
const CONTACTS: readonly (readonly [topic: string, words: string])[] = [
  ['contact.added_email', 'has a new address'],
  ['contact.archived', 'was archived'],
  ['contact.created', 'is new'],
  ['contact.deleted', 'was deleted'],
  ['contact.email.updated', 'has another address'],
  ['contact.lead.added_email', 'has a new address'],
  ['contact.lead.created', 'is new'],
  ['contact.lead.signed_up', 'signed up'],
  ['contact.lead.tag.created', 'got the tag'],
  ['contact.lead.tag.deleted', 'lost the tag'],
  ['contact.signed_up', 'signed up'],
  ['contact.tag.created', 'got the tag'],
  ['contact.tag.deleted', 'lost the tag'],
  ['contact.unsubscribed', 'wants no more mails'],
  ['contact.user.created', 'is new'],
  ['contact.user.tag.created', 'got the tag'],
  ['contact.user.tag.deleted', 'lost the tag'],
  ['user.created', 'is new'],
  ['user.deleted', 'was deleted'],
  ['user.email.updated', 'has another address'],
  ['user.tag.created', 'got the tag'],
  ['user.tag.deleted', 'lost the tag'],
  ['user.unsubscribed', 'wants no more mails'],
  ['visitor.signed_up', 'signed up'],
];

export const CONTACT_EVENTS: readonly (readonly [string, (delivery: Delivery) => Rendered])[] = CONTACTS.map(
  ([topic, words]) => [topic, (delivery) => contact(delivery, topic, words)] as const,
);

export const COMPANY_EVENTS: readonly (readonly [string, (delivery: Delivery) => Rendered])[] = [
  ['company.created', (delivery) => company(delivery, 'company.created', 'is new')],
  ['company.deleted', (delivery) => company(delivery, 'company.deleted', 'was deleted')],
];

/** A tag has the person beside it. */
function contact({ payload }: Delivery, event: string, words: string): Rendered {
  const item = payload.needObject('data', 'item');
  const person = [item.at('contact'), item.at('user')].find((one) => one.isObject) ?? item;
  const name = nameOf(person) || person.need('id');
  const tag = item.text('tag', 'name');
  const [place, older] = [person.at('location'), person.at('location_data')];
  const places = [
    [place.text('city'), older.text('city_name')],
    [place.text('region'), older.text('region_name')],
    [place.text('country'), older.text('country_name')],
  ].flatMap(([newer = '', old = '']) => newer || old || []);
  const head = md`The contact ${bold(name)} ${words}${tag !== '' && md` ${bold(tag)}`}.`;
  const isNew = /^(?:is new|signed up)$/.test(words);
  const email = isNew || words.endsWith('address') ? person.text('email') : '';
  const details = facts([
    ['Email', email],
    ['Location', isNew && places.join(', ')],
  ]);
  return { event, topic: cut(name, 200), content: joined([head, details], '\n\n') };
}

function company({ payload }: Delivery, event: string, words: string): Rendered {
  const item = payload.needObject('data', 'item');
  const name = item.text('name') || item.text('company_id') || item.need('id');
  const details = facts([
    ['Website', event === 'company.created' && item.text('website')],
    ['Plan', event === 'company.created' && item.text('plan', 'name')],
  ]);
  return { event, topic: 'Companies', content: joined([md`The company ${bold(name)} ${words}.`, details], '\n\n') };
}
