import Type from 'typebox';
import { playground } from '../objects/playground.ts';

export const realmPlaygroundsEvent = Type.Object({
  id: Type.Integer(),
  type: Type.Literal('realm_playgrounds'),
  realm_playgrounds: Type.Array(playground),
});
