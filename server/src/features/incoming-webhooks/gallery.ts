/** What people see of an integration before they use it: on the page of the integrations, and in the app. */
import type { Message } from '../../languages/language.ts';

export interface Gallery {
  /** Similar services have the same one. */
  readonly category:
    | 'Version control'
    | 'Continuous integration'
    | 'Project management'
    | 'Monitoring'
    | 'Incidents and on-call'
    | 'Customer support'
    | 'Business'
    | 'Other programs';
  /** What the messages are about, in one line. */
  readonly summary: Message;
  /** What to do at the other service, one after the other, with the URL at hand. */
  readonly steps: readonly Message[];
  /** A body, a script or settings to paste there; '' if the service needs none. */
  readonly template: string;
  /** The recorded request that a test message shows: a file of `payloads/`, without its ending. */
  readonly sample: string;
}
