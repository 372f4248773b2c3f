/** The services that the server calls: mail and push. */
import { createPublicKey, randomBytes, randomUUID, verify } from 'node:crypto';
import { timeoutOf } from '@heddle/server/config/timeout-factor.ts';
import { type Config, externalUrl, mailSender } from '@heddle/server/config.ts';
import { contactOf, VapidIdentity } from '@heddle/server/features/web-push/identity.ts';
import { languageFor } from '@heddle/server/languages/language.ts';
import { isMailable, renderMail } from '@heddle/server/mail/mail.ts';
import { ownMessageId } from '@heddle/server/mail/message-ids.ts';
import { smtpTransport } from '@heddle/server/mail/smtp.ts';
import { PushService, PushServiceError } from '@heddle/server/push/service.ts';
import { readSecret } from '@heddle/server/secret.ts';
import { adviceOn, type DoctorCheck, failed, ok, reasonOf, skipped, warning } from './check.ts';

/** The timeout of the mail server, in milliseconds. */
const MAIL_TIMEOUT_MS = timeoutOf(25_000);

/** @param to where a mail is sent; undefined: it only logs in at the mail server */
export function mailCheck(config: Config, to: string | undefined): DoctorCheck {
  return {
    name: 'mail',
    async run() {
      const { smtpUrl } = config;
      if (smtpUrl === null) {
        return warning(
          'HEDDLE_SMTP_URL is not set: mails are files in the data directory',
          'Set it to your mail server.',
        );
      }
      const { hostname, host } = new URL(smtpUrl);
      try {
        if (to === undefined) await logIn(smtpUrl);
        else await sendTo(to, smtpUrl, config);
      } catch (error) {
        const reason = reasonOf(error);
        return failed(
          `the mail server ${host} cannot be used: ${reason}`,
          adviceOn(reason, MAIL_ADVICE, otherAdvice(hostname)),
        );
      }
      if (to === undefined) return ok(`the mail server ${host} lets this server in; --mail-to sends a mail`);
      return ok(`the mail server ${host} has accepted a mail to ${to}. Look whether it arrives, and not as spam`);
    },
  };
}

const MAIL_ADVICE: readonly (readonly [RegExp, string])[] = [
  [
    /Invalid login|EAUTH|\b53[045]\b/,
    'Correct the name and the password in HEDDLE_SMTP_URL. Special characters there are written like %40.',
  ],
  [/nothing listens/, 'Correct the host and the port in HEDDLE_SMTP_URL (often 587), or start the mail server.'],
  [/name server/, 'Correct the host in HEDDLE_SMTP_URL, or the name server of this machine (/etc/resolv.conf).'],
  [
    /certificate|SSL|TLS/,
    'smtps:// is for port 465, smtp:// for 587. The certificate must name the host of HEDDLE_SMTP_URL.',
  ],
];

function otherAdvice(host: string): string {
  return `Check HEDDLE_SMTP_URL (name, password, port), HEDDLE_MAIL_FROM, and that this machine reaches ${host}.`;
}

async function logIn(url: string): Promise<void> {
  const { createTransport } = await import('nodemailer');
  const waits = {
    connectionTimeout: MAIL_TIMEOUT_MS,
    greetingTimeout: MAIL_TIMEOUT_MS,
    socketTimeout: MAIL_TIMEOUT_MS,
  };
  const transport = createTransport({ url, ...waits });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

async function sendTo(to: string, url: string, config: Config): Promise<void> {
  if (!isMailable(to)) throw new Error(`${to} is no mail address`);
  const from = mailSender(config);
  const token = randomBytes(16).toString('hex');
  const paragraphs = ['This mail shows that Heddle can send mails.', 'The command heddle doctor has sent it.'];
  const mail = renderMail({ language: languageFor(['en']), to, title: 'Heddle can send mails', paragraphs });
  const outgoing = { ...mail, to, from, messageId: ownMessageId(token, from), fileName: `doctor-${token}` };
  await smtpTransport(url).send(outgoing, AbortSignal.timeout(MAIL_TIMEOUT_MS));
}

export function pushCheck(config: Config): DoctorCheck {
  return {
    name: 'push',
    async run() {
      const service = PushService.of(config);
      if (service === undefined) return skipped('HEDDLE_PUSH_URL is not set: phones get no notifications');
      try {
        // A device that nobody has. So the service only checks our key.
        await service.postForm('push/unregister', {
          user_uuid: randomUUID(),
          token: randomBytes(16).toString('hex'),
          token_kind: 2,
        });
      } catch (error) {
        if (!(error instanceof PushServiceError)) throw error;
        const advice = {
          unreachable: 'Check HEDDLE_PUSH_URL, and that this machine reaches it.',
          failing: 'Try again later, and ask the operator of the service.',
          'not-serving': 'Check HEDDLE_PUSH_ID and HEDDLE_PUSH_KEY, and that the service knows this server.',
          refused: undefined,
        }[error.problem];
        // It has accepted the key: it does not know the device.
        if (advice !== undefined) return failed(error.message, advice);
      }
      return ok(`the push service ${new URL(config.pushUrl ?? '').host} accepts the key of this server`);
    },
  };
}

/** Whether push services of browsers will believe that a push comes from this server. */
export function webPushCheck(config: Config): DoctorCheck {
  return {
    name: 'web-push',
    async run() {
      const secret = await readSecret(config.dataDirectory);
      if (secret === undefined)
        return skipped('the key for browsers follows from the secret, which does not exist yet');
      const identity = new VapidIdentity(secret, contactOf(config));
      if (!isSigned(identity)) {
        return failed(
          'the signature with the key for browsers is wrong',
          'Start Heddle with the Node.js that it brings.',
        );
      }
      const url = externalUrl(config, config.port);
      if (!url.startsWith('https:'))
        return skipped(`browsers get notifications only over https, and HEDDLE_URL is ${url}`);
      const key = identity.publicKey.slice(0, SHOWN_KEY_CHARACTERS);
      return ok(
        `browsers get notifications with the key ${key}…, which all processes must show, and the contact ${contactOf(config)}`,
      );
    },
  };
}

const SHOWN_KEY_CHARACTERS = 12;

/** Checks a token as push services do. */
function isSigned(identity: VapidIdentity): boolean {
  const [, header = '', claims = '', signature = ''] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=/.exec(identity.authorization(new URL('https://push.example.com'))) ?? [];
  const point = Buffer.from(identity.publicKey, 'base64url');
  const [x, y] = [point.toString('base64url', 1, 33), point.toString('base64url', 33)];
  const key = createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-256', x, y } });
  const signed = Buffer.from(`${header}.${claims}`);
  return verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
}
