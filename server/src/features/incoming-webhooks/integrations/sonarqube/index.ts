import { facts, spelledOut } from '../../facts.ts';
import { isWantedBranch } from '../../filters.ts';
import { linkIf } from '../../git.ts';
import { FILTERED, type Integration, wordsFor } from '../../integration.ts';
import { bold, bullets, code, cut, joined, type Markdown, md } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { hmacIn } from '../../signatures.ts';
import { gallery } from './gallery.ts';

const GATES: Readonly<Record<string, string>> = { OK: 'passed', WARN: 'passed', ERROR: 'failed' };
const ANALYSES: Readonly<Record<string, string>> = { SUCCESS: 'done', FAILED: 'failed', CANCELED: 'canceled' };
/** What must hold. The payload has the opposite: when the condition fails. */
const OPERATORS: Readonly<Record<string, string>> = { GREATER_THAN: 'at most', LESS_THAN: 'at least' };

/** https://docs.sonarsource.com/sonarqube-server/latest/project-administration/webhooks/ */
export const sonarqube: Integration = {
  name: 'sonarqube',
  title: 'SonarQube',
  gallery,
  events: ['passed', 'failed', 'analysis_failed'],
  ignored: {},
  isSigned: hmacIn('x-sonar-webhook-hmac-sha256'),
  render({ payload, parameters }) {
    const project = payload.needObject('project');
    const name = project.text('name') || project.need('key');
    const branch = payload.text('branch', 'name');
    if (branch !== '' && !isWantedBranch(branch, parameters.branches)) return FILTERED;
    const isPullRequest = payload.text('branch', 'type') === 'PULL_REQUEST';
    const place = branch !== '' && (isPullRequest ? md` for pull request ${branch}` : md` on branch ${code(branch)}`);
    const page = linkIf(name, payload.text('branch', 'url') || project.text('url'));
    const topic = cut(branch === '' ? name : `${name} / ${isPullRequest ? `PR ${branch}` : branch}`, 200);
    const analysis = wordsFor(payload.need('status'), ANALYSES, `analysis ${payload.text('status')}`);
    if (analysis !== 'done') {
      const content = md`⚠️ The analysis of ${page}${place} ${analysis === 'failed' ? 'failed' : 'was canceled'}.`;
      return { event: 'analysis_failed', topic, content };
    }
    const gate = payload.needObject('qualityGate');
    const gateName = gate.text('name');
    const event = wordsFor(gate.need('status'), GATES, `quality gate ${gate.text('status')}`);
    const head = md`${event === 'passed' ? '✅' : '❌'} ${page}${place} ${bold(event)} the quality gate${gateName !== '' && md` ${gateName}`}.`;
    const failed = gate.list('conditions').filter((one) => !['OK', 'NO_VALUE'].includes(one.text('status')));
    const revision = facts([['Revision', code(payload.text('revision').slice(0, 11))]]);
    return {
      event,
      topic,
      content: joined([head, joined([bullets(failed.map(conditionLine)), revision], '\n')], '\n\n'),
    };
  },
};

function conditionLine(condition: Payload): Markdown {
  const operator = condition.text('operator');
  const must = Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator] : 'better than';
  const threshold = condition.text('errorThreshold');
  const value = condition.text('value');
  return md`${spelledOut(condition.need('metric'))}: ${bold(value || 'none')}${threshold !== '' && md`, but must be ${must} ${threshold}`}`;
}
