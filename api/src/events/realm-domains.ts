import Type from 'typebox';
import { domain } from '../objects/domain.ts';

const common = { id: Type.Integer(), type: Type.Literal('realm_domains') };

export const organizationDomainsEvent = Type.Union([
  Type.Object({ ...common, op: Type.Literal('add'), realm_domain: domain }),
  Type.Object({ ...common, op: Type.Literal('change'), realm_domain: domain }),
  Type.Object({ ...common, op: Type.Literal('remove'), domain: Type.String() }),
]);
