import Type from 'typebox';
import { navigationView } from '../objects/navigation-view.ts';

export const navigationViewsState = { navigation_views: Type.Optional(Type.Array(navigationView)) };
