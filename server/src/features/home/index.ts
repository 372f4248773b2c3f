import { getHomePage } from '@heddle/api/endpoints/home.ts';
import { attemptsOn } from '../attempts.ts';
import type { Feature } from '../feature.ts';
import { homeRoutes } from './routes.ts';

export const home: Feature = {
  name: 'home',
  routes: homeRoutes,
  attempts: () => [attemptsOn(getHomePage, { contained: [{}] })],
};
