import Type from 'typebox';
import { linkifier } from '../objects/linkifier.ts';

export const realmLinkifiersEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('realm_linkifiers'),
  realm_linkifiers: Type.Array(linkifier),
});
