import Type from 'typebox';
import { organizationPermissions, organizationPolicies, organizationProperties } from '../objects/realm.ts';

/** Settings of the organization changed: only the changed ones are there. */
export const realmUpdateDict = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('realm'),
  op: Type.Literal('update_dict'),
  property: Type.Literal('default'),
  data: Type.Partial(Type.Object({ ...organizationPermissions, ...organizationProperties, ...organizationPolicies })),
});

/** One setting of the organization changed. Which ones come so, and which in a dictionary, is history. */
export const realmUpdate = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('realm'),
  op: Type.Literal('update'),
  property: Type.Union(Object.keys(organizationProperties).map((name) => Type.Literal(name))),
  value: Type.Union([Type.String(), Type.Boolean(), Type.Integer(), Type.Null()]),
});

export const realmEvent = Type.Union([realmUpdateDict, realmUpdate]);
