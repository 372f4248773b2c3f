import type { Feature } from '../../extension/feature.ts';
import { videoCallRoutes } from './routes.ts';

export const videoCalls: Feature = { routes: videoCallRoutes };
