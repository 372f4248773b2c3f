import { getServerSettings } from '@heddle/api/endpoints/server.ts';
import { type Attempts, attemptsOn } from '../attempts.ts';

export const organizationAttempts: Attempts = () => [attemptsOn(getServerSettings, { contained: [{}] })];
