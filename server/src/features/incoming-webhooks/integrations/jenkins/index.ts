import { isWantedBranch } from '../../filters.ts';
import { linkIf } from '../../git.ts';
import { FILTERED, type Integration, UnknownEventError } from '../../integration.ts';
import { bold, bullets, code, joined, type Markdown, md, quote } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { gallery } from './gallery.ts';

const ICONS: Readonly<Record<string, string>> = { SUCCESS: '✅', FAILURE: '❌', UNSTABLE: '⚠️', ABORTED: '⏹️' };

const MAX_FAILED_TESTS = 5;

/** A step of a pipeline can name no phase: `none`. */
const PHASES: readonly string[] = ['completed', 'finalized', 'none', 'queued', 'started'];

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
    const hasResult = phase !== 'started' && phase !== 'queued' && status !== '';
    const icon = hasResult && Object.hasOwn(ICONS, status) ? ICONS[status] : undefined;
    const result = hasResult ? md`: ${bold(status)}` : md` ${phase === 'none' ? 'is running' : phase}`;
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
      ...(hasResult ? testsOf(build.at('test_summary')) : []),
    ];
    const head = joined([icon, md`Build ${number} of ${job}${result}.`], ' ');
    const notes = quote(build.text('notes'));
    return { event: phase, topic: job, content: joined([head, bullets(facts), notes], '\n\n') };
  },
};

/** The names of tests that failed have the name of their class in front. */
function testsOf(tests: Payload): readonly Markdown[] {
  const [total, failed, skipped] = ['total', 'failed', 'skipped'].map((field) => tests.number(field) ?? 0);
  if (!total) return [];
  const rest = joined([failed ? `${failed} failed` : undefined, skipped ? `${skipped} skipped` : undefined], ', ');
  const names = tests.list('failed_tests').map((name) => code(name.text()));
  const shown = names.slice(0, MAX_FAILED_TESTS);
  const more = Math.max(names.length, failed ?? 0) - shown.length;
  const counts = md`Tests: ${joined([md`${total}`, rest], ', ')}`;
  if (shown.length === 0) return [counts];
  return [counts, md`Failed: ${joined(shown, ', ')}${more > 0 && md` and ${more} more`}`];
}
