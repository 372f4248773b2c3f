import { getHomePage } from '@heddle/api/endpoints/home.ts';
import { type Attempts, attemptsOn } from '../../extension/attempts.ts';

export const attempts: Attempts = () => [attemptsOn(getHomePage, { contained: [{}] })];
