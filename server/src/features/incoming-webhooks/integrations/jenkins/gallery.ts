import type { Gallery } from '../../gallery.ts';

export const gallery: Gallery = {
  category: 'Continuous integration',
  summary: 'Starts and results of builds.',
  steps: [
    'Install the Notification plugin in Jenkins.',
    'In the job, open Configure, Job Notifications, Add Endpoint.',
    'Choose the format JSON, the protocol HTTP and the event Job Finalized.',
    'Paste the URL, and save.',
  ],
  template: '',
  sample: 'failed',
};
