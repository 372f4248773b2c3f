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

export const realmEvent = realmUpdateDict;
