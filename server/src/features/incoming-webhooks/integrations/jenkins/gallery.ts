import { msg } from '../../../../languages/language.ts';
import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Continuous integration',
  summary: msg('Starts and results of builds.'),
  steps: [
    msg('Install the Notification plugin in Jenkins.'),
    msg('In the job, open Configure, Job Notifications, Add Endpoint.'),
    msg('Choose the format JSON, the protocol HTTP and the event Job Finalized.'),
    msg('Paste the URL, and save.'),
  ],
  template: '',
  sample: 'failed',
};
