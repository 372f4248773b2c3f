import type { Feature } from '../../../extension/feature.ts';
import { pushReadingOf } from './reading.ts';

export const pushNotifications: Feature = {
  consumers: (app) => [pushReadingOf(app).consumer],
};
