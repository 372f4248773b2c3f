import { linkIf } from '../../git.ts';
import { type Integration, type Rendered, type Signed, wordsFor } from '../../integration.ts';
import { bold, bullets, cut, joined, type Markdown, md, time, withFormatting } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { hmacOf, isEqual, isRecent } from '../../signatures.ts';
import { gallery } from './gallery.ts';

/** By the state of an alert. */
const ICONS: Readonly<Record<string, string>> = {
  alerting: '🚨',
  firing: '🚨',
  no_data: 'ℹ️',
  ok: '✅',
  paused: 'ℹ️',
  pending: 'ℹ️',
  resolved: '✅',
};

const MAX_ALERTS = 20;
/** Of the message that the user wrote. */
const MAX_MESSAGE_LENGTH = 5000;
/** Grafana has no default for this name. Its documents use both. */
const TIMESTAMP_HEADERS = ['x-grafana-alerting-signature-timestamp', 'x-grafana-alerting-timestamp'];

/** https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/ */
export const grafana: Integration = {
  name: 'grafana',
  title: 'Grafana',
  gallery,
  events: Object.keys(ICONS),
  ignored: {},
  isSigned,
  render({ payload }) {
    return payload.at('alerts').isMissing ? ofOldAlerting(payload) : ofAlerting(payload);
  },
};

/** With a timestamp header, Grafana signs the time and the body, otherwise the body alone. */
function isSigned({ header, body, secret, now }: Signed): boolean {
  const signature = header('x-grafana-alerting-signature');
  const time = TIMESTAMP_HEADERS.map(header).find((value) => value !== '');
  if (time === undefined) return isEqual(signature, hmacOf(secret, body));
  return isRecent(time, now) && isEqual(signature, hmacOf(secret, `${time}:`, body));
}

/** Grafana writes these titles and messages, unless the user has written others in the contact point. */
const DEFAULT_TITLE = /^\[(?:FIRING|RESOLVED)\b[^\]]*\]/;
const DEFAULT_MESSAGE = /^\s*\*\*(?:Firing|Resolved)\*\*\s/;

function ofAlerting(payload: Payload): Rendered {
  const event = payload.need('status');
  const icon = wordsFor(event, ICONS, event);
  const alerts = payload.list('alerts');
  const common = payload.text('commonLabels', 'alertname');
  const [title, message] = [payload.text('title'), payload.text('message')];
  const ownTitle = title === '' || DEFAULT_TITLE.test(title) ? undefined : md`${icon} ${bold(title)}`;
  const isOwnMessage = message.trim() !== '' && !DEFAULT_MESSAGE.test(message);
  const shown = alerts.slice(0, MAX_ALERTS).map(isOwnMessage ? alertLinks : alertText);
  // Contact points can have a number of alerts that Grafana sends at most.
  const more = alerts.length - shown.length + (payload.number('truncatedAlerts') ?? 0);
  const own = isOwnMessage ? withFormatting(cut(message.trim(), MAX_MESSAGE_LENGTH)) : undefined;
  return {
    event,
    topic: cut(common === '' ? title || 'Grafana alerts' : common, 200),
    content: joined(
      [ownTitle, own, ...shown, more > 0 && md`… and ${more} more ${more === 1 ? 'alert' : 'alerts'}`],
      '\n\n',
    ),
  };
}

/** The text of the user says the rest. */
function alertLinks(alert: Payload): Markdown {
  const status = alert.need('status');
  const icon = wordsFor(status, ICONS, status);
  return joined([md`${icon} ${bold(headOf(alert, status))}`, linksOf(alert)], ' · ');
}

function headOf(alert: Payload, status: string): string {
  const name = alert.text('labels', 'alertname');
  return `${status.toUpperCase()}${name === '' ? '' : `: ${name}`}`;
}

function linksOf(alert: Payload): Markdown {
  const links = [
    ['Alert rule', alert.text('generatorURL')],
    ['Silence', alert.text('silenceURL')],
    ['Dashboard', alert.text('dashboardURL')],
    ['Panel', alert.text('panelURL')],
    ['Image', alert.text('imageURL')],
    ['Runbook', alert.text('annotations', 'runbook_url')],
  ].flatMap(([name = '', url = '']) => (url === '' ? [] : [linkIf(name, url)]));
  return joined(links, ' · ');
}

function alertText(alert: Payload): Markdown {
  const status = alert.need('status');
  const icon = wordsFor(status, ICONS, status);
  const labels = alert.fields('labels').filter(([name]) => !name.startsWith('__') && name !== 'alertname');
  const annotations = alert.fields('annotations').filter(([name]) => !name.startsWith('__') && name !== 'runbook_url');
  const values = alert.fields('values').map(([name, value]) => `${name} = ${value}`);
  const facts = [...annotations, ...labels].map(([label, text]) => md`${label}: ${text}`);
  const valueLine = values.length > 0 ? values.join(', ') : alert.text('valueString');
  return joined(
    [
      md`${icon} ${bold(headOf(alert, status))}`,
      bullets([
        ...facts,
        ...(valueLine === '' ? [] : [md`Values: ${valueLine}`]),
        ...timeLine('Since', alert.text('startsAt')),
        ...(status === 'resolved' ? timeLine('Until', alert.text('endsAt')) : []),
      ]),
      linksOf(alert),
    ],
    '\n\n',
  );
}

/** An alert that goes on ends in the year 1. */
function timeLine(name: string, at: string): readonly Markdown[] {
  return at === '' || at.startsWith('0001-') ? [] : [md`${name}: ${time(at)}`];
}

/** The format before Grafana 8, which the old alerting still sends. */
function ofOldAlerting(payload: Payload): Rendered {
  const state = payload.need('state');
  const name = payload.text('ruleName') || payload.need('title');
  const values = payload.list('evalMatches').map((match) => md`${match.text('metric')}: ${match.text('value')}`);
  const icon = wordsFor(state, ICONS, state);
  return {
    event: state,
    topic: cut(name, 200),
    content: joined(
      [
        md`${icon} ${linkIf(name, payload.text('ruleUrl'))}: ${bold(state.replaceAll('_', ' '))}`,
        md`${payload.text('message')}`,
        bullets(values),
      ],
      '\n\n',
    ),
  };
}
