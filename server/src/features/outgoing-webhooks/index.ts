import type { Feature } from '../feature.ts';
import { outgoingOf } from './running.ts';

/** Services that are told what is said to their bots, and answer in their name. The bots themselves: `features/bots`. */
export const outgoingWebhooks: Feature = { name: 'outgoing-webhooks', runs: outgoingOf };
