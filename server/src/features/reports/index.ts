import type { Feature } from '../../extension/feature.ts';
import { reportRoutes } from './routes.ts';

export const reports: Feature = { routes: reportRoutes };
