import { badRequest } from '@heddle/api/errors.ts';
import { durationBetween } from '../../dates.ts';
import { facts } from '../../facts.ts';
import { isWantedBranch } from '../../filters.ts';
import { linkIf, refName } from '../../git.ts';
import {
  type Delivery,
  FILTERED,
  type IgnoredEvents,
  type Integration,
  type Outcome,
  UnknownEventError,
  wordsFor,
} from '../../integration.ts';
import { code, cut, joined, md } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { gallery } from './gallery.ts';

/** Events of builds: the names of TeamCity itself, and those of the plugin tcWebHooks. */
const BUILDS: Readonly<Record<string, string>> = {
  BUILD_STARTED: 'started',
  BUILD_FINISHED: 'finished',
  BUILD_INTERRUPTED: 'was interrupted',
  BUILD_TYPE_ADDED_TO_QUEUE: 'was queued',
  buildStarted: 'started',
  buildFinished: 'finished',
  buildSuccessful: 'finished',
  buildFailed: 'finished',
  buildFixed: 'finished',
  buildBroken: 'finished',
  buildInterrupted: 'was interrupted',
  buildAddedToQueue: 'was queued',
};

const AGENTS: Readonly<Record<string, string>> = {
  // TeamCity spells it like this.
  AGENT_REGISTRED: 'connected to the server',
  AGENT_REGISTERED: 'connected to the server',
  AGENT_UNREGISTERED: 'disconnected from the server',
  AGENT_REMOVED: 'was removed',
};

const IGNORED: IgnoredEvents = {
  CHANGES_LOADED: 'TeamCity also reports that it found no new changes.',
  BUILD_PROBLEMS_CHANGED: 'The message about the finished build says why it failed.',
  changesLoaded: 'TeamCity also reports that it found no new changes.',
  beforeBuildFinish: 'The message about the finished build follows.',
  buildRemovedFromQueue: 'Nothing was built.',
  buildPinned: 'It changes nothing in the build.',
  buildUnpinned: 'It changes nothing in the build.',
  buildTagged: 'It changes nothing in the build.',
  responsibilityChanged: 'It is about a person, not about a build.',
};

/** https://www.jetbrains.com/help/teamcity/teamcity-webhooks.html */
export const teamcity: Integration = {
  name: 'teamcity',
  title: 'TeamCity',
  gallery,
  events: [...Object.keys(BUILDS), ...Object.keys(AGENTS)],
  ignored: IGNORED,
  render(delivery) {
    const { payload } = delivery;
    if (payload.at('build').isObject) return ofPlugin(delivery);
    if (payload.at('eventType').isMissing) throw badRequest("Malformed payload: 'eventType' or 'build' is missing");
    const event = payload.need('eventType');
    if (Object.hasOwn(IGNORED, event)) return { ignored: event };
    if (Object.hasOwn(AGENTS, event)) return agent(payload.needObject('payload'), event);
    return ofServer(delivery, event);
  },
};

function agent(payload: Payload, event: string): Outcome {
  const name = payload.need('name');
  const content = md`Agent ${linkIf(name, payload.text('webUrl'))} ${AGENTS[event] ?? ''}.`;
  return { event, topic: 'Build agents', content };
}

interface Build {
  readonly event: string;
  readonly project: string;
  readonly name: string;
  readonly number: string;
  readonly url: string;
  readonly branch: string;
  readonly isPersonal: boolean;
  /** `success` or `failure`; other words, or '', if it has no result. */
  readonly result: string;
  readonly statusText: string;
  readonly trigger: string;
  readonly agent: string;
  readonly duration: string;
}

function ofServer({ payload, parameters }: Delivery, event: string): Outcome {
  if (!Object.hasOwn(BUILDS, event)) throw new UnknownEventError(event);
  const build = payload.needObject('payload');
  return message(
    {
      event,
      project: build.text('buildType', 'projectName'),
      name: build.text('buildType', 'name') || build.need('buildTypeId'),
      number: build.text('number') || build.text('id'),
      url: build.text('webUrl'),
      branch: refName(build.text('branchName')),
      isPersonal: build.isTrue('personal'),
      result: build.text('status').toLowerCase(),
      statusText: build.text('statusText'),
      trigger: build.text('triggered', 'user', 'name') || build.text('triggered', 'user', 'username'),
      agent: build.text('agent', 'name'),
      duration: durationBetween(dateIn(build.text('startDate')), dateIn(build.text('finishDate'))),
    },
    parameters.branches,
  );
}

/** `20261002T184522+0000`, the format of the REST interface, as others write it. */
function dateIn(date: string): string {
  return date.slice(0, 30).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:$6');
}

function ofPlugin({ payload, parameters }: Delivery): Outcome {
  const build = payload.needObject('build');
  const event = build.need('notifyType');
  if (Object.hasOwn(IGNORED, event)) return { ignored: event };
  if (!Object.hasOwn(BUILDS, event)) throw new UnknownEventError(event);
  return message(
    {
      event,
      project: build.text('projectName'),
      name: build.need('buildName'),
      number: build.text('buildNumber'),
      url: build.text('buildStatusUrl'),
      branch: build.text('branchDisplayName') || refName(build.text('branchName')),
      isPersonal: build.at('teamcityProperties').isMissing
        ? false
        : build.list('teamcityProperties').some((one) => one.text('name') === 'env.BUILD_IS_PERSONAL'),
      result: build.text('buildResult').toLowerCase(),
      statusText: build.text('buildStatus'),
      trigger: build.text('triggeredBy'),
      agent: build.text('agentName'),
      duration: '',
    },
    parameters.branches,
  );
}

function message(build: Build, branches: string | undefined): Outcome {
  const { event, project, name, number, url, branch, result } = build;
  if (branch !== '' && !isWantedBranch(branch, branches)) return FILTERED;
  const phase = wordsFor(event, BUILDS, event);
  const [icon, verb] =
    phase !== 'finished'
      ? [phase === 'was interrupted' ? '⏹️' : '🔨', phase]
      : result === 'success'
        ? ['✅', 'succeeded']
        : result === 'failure' || result === 'error'
          ? ['❌', 'failed']
          : ['ℹ️', 'finished'];
  const fullName = [project, name].filter((part) => part !== '').join(' / ');
  const what = build.isPersonal ? 'Personal build' : 'Build';
  const head = md`${icon} ${what} ${linkIf(number === '' ? fullName : `#${number}`, url)}${number !== '' && md` of ${fullName}`} ${verb}.`;
  const details = facts([
    ['Branch', branch !== '' && code(branch)],
    ['Status', phase === 'finished' && build.statusText],
    ['Triggered by', build.trigger],
    ['Agent', build.agent],
    ['Duration', phase === 'finished' && build.duration],
  ]);
  return { event, topic: cut(fullName, 200), content: joined([head, details], '\n\n') };
}
