import type { IgnoredEvents } from '../../integration.ts';

export const RUNNING_PIPELINE = 'Pipeline Hook of a running pipeline';

export const IGNORED: IgnoredEvents = {
  [RUNNING_PIPELINE]: 'Only the result of a pipeline is worth a message.',
};
