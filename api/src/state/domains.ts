import Type from 'typebox';
import { domain } from '../objects/domain.ts';

export const domainsState = { realm_domains: Type.Optional(Type.Array(domain)) };
