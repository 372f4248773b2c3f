import { badRequest } from '@heddle/api/errors.ts';
import { linkIf } from '../../git.ts';
import { type Integration, UnknownEventError } from '../../integration.ts';
import { bold, bullets, cut, joined, link, md } from '../../markdown.ts';
import type { Payload } from '../../payload.ts';
import { isBearer } from '../../signatures.ts';
import { gallery } from './gallery.ts';

const STATES: readonly string[] = ['firing', 'resolved'];

/** https://prometheus.io/docs/alerting/latest/configuration/#webhook_config */
export const alertmanager: Integration = {
  name: 'alertmanager',
  title: 'Prometheus Alertmanager',
  gallery,
  events: STATES,
  ignored: {},
  isSigned: isBearer,
  render({ payload, parameters }) {
    const alerts = payload.list('alerts');
    if (alerts.length === 0) throw badRequest("Malformed payload: 'alerts' is missing");
    const describe = (alert: Payload): string =>
      alert.text('labels', parameters.desc) || alert.text('annotations', parameters.desc) || 'alert';
    const nameOf = (alert: Payload): string =>
      alert.text('labels', parameters.name) || alert.text('annotations', parameters.name);
    const unknown = alerts.map((alert) => alert.text('status')).find((status) => !STATES.includes(status));
    if (unknown !== undefined) throw new UnknownEventError(unknown);
    const ofStatus = (status: string) => alerts.filter((alert) => alert.text('status') === status);
    const [firing, resolved] = [ofStatus('firing'), ofStatus('resolved')];
    const lines = (some: readonly Payload[]) =>
      bullets(
        some.map((alert) => {
          const what = linkIf(describe(alert), alert.text('generatorURL'));
          const text = alert.at('annotations').firstText('summary', 'description', 'message');
          const runbook = alert.at('annotations').firstText('runbook_url', 'runbook');
          const line = joined([bold(nameOf(alert)), what, md`${text}`], ': ');
          return runbook === '' ? line : md`${line} (${link('runbook', runbook)})`;
        }),
      );
    const names = [...new Set(alerts.map(nameOf).filter((name) => name !== ''))];
    const common = payload.text('commonLabels', parameters.desc);
    // Prometheus sends at most `max_alerts`.
    const more = payload.number('truncatedAlerts') ?? 0;
    return {
      event: firing.length > 0 ? 'firing' : 'resolved',
      topic: cut(names.length === 1 ? (names[0] ?? '') : common || 'Alertmanager', 200),
      content: joined(
        [
          firing.length > 0 && joined([md`🚨 ${bold('FIRING')}`, lines(firing)], '\n'),
          resolved.length > 0 && joined([md`✅ ${bold('RESOLVED')}`, lines(resolved)], '\n'),
          more > 0 && md`… and ${more} more ${more === 1 ? 'alert' : 'alerts'}`,
        ],
        '\n\n',
      ),
    };
  },
};
