import { isWantedBranch } from '../../filters.ts';
import { linkIf } from '../../git.ts';
import { FILTERED, type Integration, UnknownEventError } from '../../integration.ts';
import { bold, bullets, code, joined, md } from '../../markdown.ts';
import { gallery } from './gallery.ts';

const ICONS: Readonly<Record<string, string>> = { SUCCESS: '✅', FAILURE: '❌', UNSTABLE: '⚠️', ABORTED: '⏹️' };

const PHASES: readonly string[] = ['completed', 'finalized', 'queued', 'started'];

/** The JSON format of the Notification plugin (https://plugins.jenkins.io/notification/). */
export const jenkins: Integration = {
  name: 'jenkins',
  title: 'Jenkins',
  gallery,
  events: PHASES,
  ignored: {},
  render({ payload, parameters }) {
    const job = payload.text('display_name') || payload.need('name');
    const build = payload.needObject('build');
    const branch = build.text('scm', 'branch').replace(/^origin\//, '');
    if (branch !== '' && !isWantedBranch(branch, parameters.branches)) return FILTERED;
    const phase = build.need('phase').toLowerCase();
    if (!PHASES.includes(phase)) throw new UnknownEventError(phase);
    const status = build.text('status').toUpperCase();
    const number = linkIf(`#${build.need('number')}`, build.text('full_url') || build.text('url'));
    // A build that begins carries the status of the one before it.
    const hasResult = (phase === 'completed' || phase === 'finalized') && status !== '';
    const icon = hasResult && Object.hasOwn(ICONS, status) ? ICONS[status] : undefined;
    const result = hasResult ? md`: ${bold(status)}` : md` ${phase}`;
    const commit = build.text('scm', 'commit').slice(0, 11);
    const facts = [
      ...(branch === '' ? [] : [md`Branch: ${code(branch)}`]),
      ...(commit === '' ? [] : [md`Commit: ${code(commit)}`]),
      ...build
        .list('scm', 'culprits')
        .slice(0, 5)
        .map((person) => person.text())
        .filter((name) => name !== '')
        .map((name) => md`Changed by: ${name}`),
    ];
    const head = joined([icon, md`Build ${number} of ${job}${result}.`], ' ');
    return { event: phase, topic: job, content: joined([head, bullets(facts)], '\n\n') };
  },
};
