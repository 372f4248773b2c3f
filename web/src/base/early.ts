/**
 * The first script of the page. It is small and a file of its own, so it requests the initial state before the browser has loaded the rest of
 * the app. The rest imports this file too, which does not run it again.
 */
import type { WebAppStart } from '@heddle/api/web-app.ts';

/** What the server wrote into the page. */
export const start: WebAppStart = readStart();

/** The parameters of `POST /register`. The app registers with the same ones later. */
export const REGISTRATION = {
  apply_markdown: true,
  client_gravatar: true,
  include_subscribers: false,
  slim_presence: true,
  client_capabilities: {
    notification_settings_null: true,
    bulk_message_deletion: true,
    user_avatar_url_field_optional: true,
    stream_typing_notifications: true, // wire name: the capability's name
    user_settings_object: true,
    linkifier_url_template: true,
    user_list_incomplete: true,
    include_deactivated_groups: true,
    archived_channels: true,
    empty_topic_name: true,
    simplified_presence_events: true,
    pinned_messages: true,
    gif_picker: true,
    brief_users: true,
    quiet_hours: true,
    web_push: true,
  },
} as const;

/** The local storage keeps until when the app can continue without a new registration. The name of the entry ends with the user's id. */
export const RESUMABLE_UNTIL = 'heddle-resumable-until-';

/**
 * Tells the next page load that the app has stored its state and its event queue. A registration would be wasted then.
 * @param until milliseconds since the epoch; 0 if the app cannot continue
 */
export function setResumableUntil(userId: number, until: number): void {
  try {
    if (until === 0) localStorage.removeItem(RESUMABLE_UNTIL + userId);
    else localStorage.setItem(RESUMABLE_UNTIL + userId, String(until));
  } catch {
    // Without storage, each page load registers.
  }
}

showRemembered();

let registration: Promise<Response> | undefined = canResume() ? undefined : register();

/**
 * The response to `POST /register` that this script requested, with its whole body. Only the first call returns it. It rejects if the server
 * cannot be reached.
 * @returns undefined if the app has stored its state, or if the response is taken
 */
export function takeRegistration(): Promise<Response> | undefined {
  const taken = registration;
  registration = undefined;
  return taken;
}

let firstPage: { readonly url: string; readonly response: Promise<Response> } | undefined;

/**
 * The response to the request for the first messages of the view, if this script has sent the same request. Only the first call returns
 * it. It is only valid while no event has arrived, because it may lack what later events announce.
 */
export function takeFirstPage(url: string): Promise<Response> | undefined {
  const taken = firstPage;
  firstPage = undefined;
  return taken?.url === url ? taken.response : undefined;
}

/** The app would request the messages only when it has rendered the view. It needs the time before that for the initial state. */
function requestFirstPage(): void {
  const path = firstPagePath();
  if (path === undefined || start.userId === null) return;
  const response = fetch(path, { credentials: 'same-origin', priority: 'high' }).then(withBody);
  response.catch(() => undefined);
  firstPage = { url: new URL(path, location.origin).href, response };
}

/** The request of `MessageWindow` and `pageFetcher` for the topic in the URL, with its first unread message. Undefined for other views. */
function firstPagePath(): string | undefined {
  const [, channelId, topic] = /^#narrow\/channel\/(\d+)(?:-[^/]*)?\/topic\/([^/]*)$/.exec(location.hash) ?? [];
  if (channelId === undefined || topic === undefined) return undefined;
  const term = (operator: string, operand: string | number) => ({ operator, operand, negated: false });
  let text: string;
  try {
    text = decodeURIComponent(topic.replaceAll('.', '%'));
  } catch {
    return undefined;
  }
  return `/json/messages?${new URLSearchParams({
    allow_empty_topic_name: 'true',
    client_gravatar: 'false',
    anchor: 'first_unread',
    num_before: '50',
    num_after: '50',
    include_anchor: 'true',
    narrow: JSON.stringify([term('channel', Number(channelId)), term('topic', text)]),
  })}`;
}

/** Shows the columns (`frame/frame-state.ts`) and the look (`look.ts`) that this browser remembers. */
function showRemembered(): void {
  try {
    const { left, right, leftWidth } = JSON.parse(localStorage.getItem('heddle-frame') ?? '{}');
    const { density, accent } = JSON.parse(localStorage.getItem('heddle-look') ?? '{}');
    const { dataset, style } = document.documentElement;
    if (density) dataset.density = density;
    if (accent) dataset.accent = accent;
    if (left === false) dataset.left = 'closed';
    if (right === false || start.userId === null) dataset.right = 'closed';
    style.setProperty('--left', `${Number(leftWidth) || 280}px`);
  } catch {
    // The frame then has its first columns.
  }
}

/** The token that each write with a session must contain. Empty if there is no session. */
export function csrfToken(): string {
  const prefix = `${start.csrfCookie}=`;
  const cookie = document.cookie.split('; ').find((one) => one.startsWith(prefix));
  return cookie?.slice(prefix.length) ?? '';
}

function readStart(): WebAppStart {
  return JSON.parse(document.getElementById('start')?.textContent ?? '') as WebAppStart;
}

function canResume(): boolean {
  if (start.userId === null) return false;
  try {
    return Number(localStorage.getItem(RESUMABLE_UNTIL + start.userId)) > Date.now();
  } catch {
    return false;
  }
}

async function request(): Promise<Response> {
  const body = new URLSearchParams();
  // A spectator cannot compute the pictures of others, because the server hides their addresses.
  const parameters = start.userId === null ? { ...REGISTRATION, client_gravatar: false } : REGISTRATION;
  for (const [name, value] of Object.entries(parameters)) body.set(name, JSON.stringify(value));
  const response = await fetch('/json/register', {
    method: 'POST',
    body,
    headers: { 'X-CSRFToken': csrfToken() },
    credentials: 'same-origin',
    priority: 'high',
  });
  // From now on the queue gets events about what the messages lack.
  if (response.ok) requestFirstPage();
  return withBody(response);
}

/** A browser stops receiving a body that no code reads. So this reads it, and does not wait for the rest of the app. */
async function withBody(response: Response): Promise<Response> {
  return new Response(await response.arrayBuffer(), response);
}

function register(): Promise<Response> {
  const response = request();
  // The app handles a failure when it takes the response.
  response.catch(() => undefined);
  return response;
}
