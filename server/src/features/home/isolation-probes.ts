import { getHomePage } from '@heddle/api/endpoints/home.ts';
import { type IsolationProbes, probesOf } from '../../extension/isolation-probes.ts';

export const isolationProbes: IsolationProbes = () => [probesOf(getHomePage, { contained: [{}] })];
