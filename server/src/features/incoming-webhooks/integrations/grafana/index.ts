import { linkIf } from '../../git.ts';
import { type Integration, type Rendered, type Signed, wordsFor } from '../../integration.ts';
import { bold, bullets, cut, joined, type Markdown, md } from '../../markdown.ts';
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

function ofAlerting(payload: Payload): Rendered {
  const event = payload.need('status');
  wordsFor(event, ICONS, event);
  const alerts = payload.list('alerts');
  const common = payload.text('commonLabels', 'alertname');
  const shown = alerts.slice(0, MAX_ALERTS).map(alertText);
  const more = alerts.length - shown.length;
  return {
    event,
    topic: cut(common === '' ? payload.text('title') || 'Grafana alerts' : common, 200),
    content: joined([...shown, more > 0 && md`… and ${more} more alerts`], '\n\n'),
  };
}

function alertText(alert: Payload): Markdown {
  const status = alert.need('status');
  const icon = wordsFor(status, ICONS, status);
  const labels = alert.fields('labels').filter(([name]) => !name.startsWith('__') && name !== 'alertname');
  const annotations = alert.fields('annotations').filter(([name]) => !name.startsWith('__'));
  const links = [
    ['Alert rule', alert.text('generatorURL')],
    ['Silence', alert.text('silenceURL')],
    ['Dashboard', alert.text('dashboardURL')],
    ['Panel', alert.text('panelURL')],
    ['Image', alert.text('imageURL')],
  ].flatMap(([name = '', url = '']) => (url === '' ? [] : [linkIf(name, url)]));
  const name = alert.text('labels', 'alertname');
  const value = alert.text('valueString');
  const facts = [...annotations, ...labels].map(([label, text]) => md`${label}: ${text}`);
  return joined(
    [
      md`${icon} ${bold(`${status.toUpperCase()}${name === '' ? '' : `: ${name}`}`)}`,
      bullets([...facts, ...(value === '' ? [] : [md`Values: ${value}`])]),
      joined(links, ' · '),
    ],
    '\n\n',
  );
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
        md`${icon} ${linkIf(name, payload.text('ruleUrl'))}: ${bold(state)}`,
        md`${payload.text('message')}`,
        bullets(values),
      ],
      '\n\n',
    ),
  };
}
