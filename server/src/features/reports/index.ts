import type { Feature } from '../feature.ts';
import { reportAttempts } from './attempts.ts';
import { reportRoutes } from './routes.ts';

export const reports: Feature = { name: 'reports', routes: reportRoutes, attempts: reportAttempts };
