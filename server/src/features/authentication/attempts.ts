import { developmentFetchApiKey, fetchApiKey } from '@heddle/api/endpoints/authentication.ts';
import { type Attempts, attemptsOn } from '../attempts.ts';

export const authenticationAttempts: Attempts = ({ owner }) => [
  attemptsOn(fetchApiKey, { refused: [{ username: owner.email, password: 'correct horse battery' }] }),
  attemptsOn(developmentFetchApiKey, { refused: [{ username: owner.email }] }),
];
