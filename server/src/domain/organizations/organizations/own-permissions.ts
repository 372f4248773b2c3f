import { OWN_PERMISSIONS } from '@heddle/api/permissions.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields by the names of permissions and settings, without those that only Heddle has. */
export function withoutOwn<Values extends Fields>(fields: Values): Values {
  return select(fields, (name) => !OWN_PERMISSIONS.includes(name));
}

/** The fields that only Heddle has. */
export function onlyOwn<Values extends Fields>(fields: Values): Values {
  return select(fields, (name) => OWN_PERMISSIONS.includes(name));
}

function select<Values extends Fields>(fields: Values, isChosen: (name: string) => boolean): Values {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isChosen(name))) as Values;
}
