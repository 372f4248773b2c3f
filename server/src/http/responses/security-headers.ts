/** Headers for pages and files, so that browsers run nothing that a user has written. */

import type { AppPolicy, PageOptions } from '../answers/answers.ts';

interface SecurityHeaders {
  readonly [name: string]: string;
  readonly 'content-security-policy': string;
  readonly 'x-content-type-options': 'nosniff';
  readonly 'referrer-policy': 'no-referrer' | 'same-origin';
}

const common = { 'x-content-type-options': 'nosniff' } as const;

/** A page loads only our resources; icons may be data. It cannot be framed, and its forms lead to us. */
const pagePolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

/**
 * Pages without scripts, and pages with scripts of ours. Other sites do not learn their addresses. We do, because browsers would otherwise
 * hide where a form comes from (`Origin: null`).
 */
export function pageHeaders({
  hasScripts = false,
  inlineScript,
  formsOpen,
  app,
}: Pick<PageOptions, 'hasScripts' | 'inlineScript' | 'formsOpen' | 'app'>): SecurityHeaders {
  if (app !== undefined) return appPageHeaders(app);
  const ownScript = inlineScript === undefined ? [] : [`script-src '${inlineScript}'`];
  const scripts = hasScripts ? ["script-src 'self'", "connect-src 'self'"] : ownScript;
  const forms = ["form-action 'self'", ...(formsOpen === undefined ? [] : [formsOpen])].join(' ');
  const policy = [...pagePolicy, forms, ...scripts].join('; ');
  return { ...common, 'referrer-policy': 'same-origin', 'content-security-policy': policy };
}

/**
 * The Trusted Types policies of the app: one sanitizes HTML, and one knows the address of the service worker. All other code that wants to create
 * HTML or scripts from text fails.
 */
const TRUSTED_TYPES = 'dompurify heddle-worker';

/** Features of browsers that the app does not use. Voice messages need the microphone. Nothing else on the page may use them either. */
const UNUSED_FEATURES = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'midi',
  'payment',
  'publickey-credentials-get',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
];

/**
 * The page of the web app. It shows what others have written, so its policy allows scripts and style sheets of this server only, and no HTML from
 * text without sanitizing. A component library adds style elements with rules for touch, so these need a nonce. The policy does not
 * restrict links: a video call opens in another tab, and cross-origin isolation keeps that tab away from this page.
 */
function appPageHeaders({ styleNonce, pictureOrigins }: AppPolicy): SecurityHeaders {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${styleNonce}'`,
    ["img-src 'self' data: blob:", ...pictureOrigins].join(' '),
    "font-src 'self'",
    "connect-src 'self'",
    "media-src 'self' blob:",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${TRUSTED_TYPES}`,
  ];
  return {
    ...common,
    'content-security-policy': policy.join('; '),
    // `no-referrer` would hide the origin of writes, which the server checks.
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': ['microphone=(self)', ...UNUSED_FEATURES.map((feature) => `${feature}=()`)].join(', '),
  };
}

/**
 * Scripts and other files of the app. The policy applies to scripts that run as workers, and to pictures that a browser opens alone. The service
 * worker shows pictures of people in notifications.
 */
export function appFileHeaders(): SecurityHeaders {
  const policy =
    "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; " +
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
  return {
    ...common,
    'content-security-policy': policy,
    'referrer-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
  };
}

const filePolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:; media-src 'self'; object-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Anyone can upload files. So a file that a browser shows loads and runs nothing, whatever its type, and has no origin. Only PDF viewers do
 * not work in a sandbox.
 */
export function fileHeaders(contentType: string): SecurityHeaders {
  const policy = contentType === 'application/pdf' ? filePolicy : `${filePolicy}; sandbox`;
  return { ...common, 'referrer-policy': 'no-referrer', 'content-security-policy': policy };
}
