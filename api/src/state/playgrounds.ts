import Type from 'typebox';
import { playground } from '../objects/playground.ts';

export const playgroundsState = { realm_playgrounds: Type.Optional(Type.Array(playground)) };
