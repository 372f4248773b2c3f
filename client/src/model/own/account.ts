import type { EventOfType, InitialState, OnboardingStep, QuietHours, Role, UserSettings } from '../../calls/types.ts';
import { Subject } from '../changes.ts';
import { ROLES, roleOf } from '../people/roles.ts';

/**
 * The account of this client: its identity, its settings and the onboarding steps that it has not seen.
 *
 * Invariants:
 * - The name, addresses, picture and role equal those of the own record in `Users`.
 * - Spectators and clients that did not fetch `realm_user` have no `userId` and no `role`.
 */
export class Account {
  /** Notified of every change of the account, settings included. */
  readonly changes = new Subject();
  readonly userId: number | undefined;
  /** Whether the client has no account. It can only read what is public. */
  readonly isSpectator: boolean;
  readonly isBot: boolean;
  /** ISO 8601. Undefined if unknown. */
  readonly dateJoined: string | undefined;
  /** The key of the server for push services of browsers. Undefined if the client did not ask for it, or the server has none. */
  readonly webPushKey: string | undefined;
  role: Role | undefined;
  name: string;
  /** The address for the API. */
  email: string;
  /** The real address. */
  deliveryEmail: string;
  avatarUrl: string;
  avatarUrlMedium: string;
  hasUploadedAvatar: boolean;
  /** Replaced after each change. Without fields if the client did not fetch `user_settings`. */
  settings: UserSettings;
  /** When the user is not notified. Undefined if the client did not ask for it, or the server has no quiet hours. */
  quietHours: QuietHours | undefined;
  /** The steps that the user has not seen. */
  onboardingSteps: readonly OnboardingStep[];

  constructor(state: InitialState) {
    const own = state.realm_users?.find(({ user_id }) => user_id === state.user_id);
    this.isSpectator = state.queue_id === null;
    this.userId = this.isSpectator ? undefined : state.user_id;
    this.isBot = own?.is_bot ?? false;
    this.dateJoined = own?.date_joined;
    this.webPushKey = state.web_push_public_key;
    this.role = this.userId === undefined ? undefined : roleOf(state);
    this.name = state.full_name ?? '';
    this.email = state.email ?? '';
    this.deliveryEmail = state.delivery_email ?? '';
    this.avatarUrl = state.avatar_url ?? '';
    this.avatarUrlMedium = state.avatar_url_medium ?? '';
    this.hasUploadedAvatar = state.avatar_source === 'U';
    this.settings = state.user_settings ?? ({} as UserSettings);
    this.quietHours = state.quiet_hours;
    this.onboardingSteps = state.onboarding_steps ?? [];
  }

  get isOwner(): boolean {
    return this.role === ROLES.owner;
  }

  /** Also true for owners. */
  get isAdministrator(): boolean {
    return this.role !== undefined && this.role <= ROLES.administrator;
  }

  /** Also true for administrators and owners. */
  get isModerator(): boolean {
    return this.role !== undefined && this.role <= ROLES.moderator;
  }

  get isGuest(): boolean {
    return this.role === ROLES.guest;
  }

  /** Events about other users change nothing here. */
  applyUser(event: EventOfType<'realm_user'>): void {
    if (event.op !== 'update' || event.person.user_id !== this.userId) return;
    const { person } = event;
    if ('role' in person) this.role = person.role;
    else if ('full_name' in person) this.name = person.full_name;
    else if ('new_email' in person) this.email = person.new_email;
    else if ('delivery_email' in person) this.deliveryEmail = person.delivery_email ?? '';
    else if ('avatar_url' in person) {
      this.avatarUrl = person.avatar_url;
      this.avatarUrlMedium = person.avatar_url_medium;
      this.hasUploadedAvatar = person.avatar_source === 'U';
    } else return;
    this.changes.changed();
  }

  applySettings({ property, value }: EventOfType<'user_settings'>): void {
    this.settings = { ...this.settings, [property]: value };
    this.changes.changed();
  }

  applyQuietHours({ quiet_hours }: EventOfType<'quiet_hours'>): void {
    this.quietHours = quiet_hours;
    this.changes.changed();
  }

  applyOnboardingSteps({ onboarding_steps }: EventOfType<'onboarding_steps'>): void {
    this.onboardingSteps = onboarding_steps;
    this.changes.changed();
  }

  /** The content in comparable form. */
  plain(): object {
    const { userId, role, name, email, deliveryEmail, settings, quietHours, onboardingSteps } = this;
    const picture = { url: this.avatarUrl, medium: this.avatarUrlMedium, isUploaded: this.hasUploadedAvatar };
    return { userId, role, name, email, deliveryEmail, picture, settings, quietHours, onboardingSteps };
  }
}
