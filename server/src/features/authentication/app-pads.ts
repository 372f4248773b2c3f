/** The secrets with which apps open the login page. The result of the login is returned encrypted with them. */
import { badRequest } from '@heddle/api/errors.ts';

const PAD = /^[0-9a-f]{64}$/i;

/** Of a phone app or a desktop app; at most one of them. */
export interface AppPads {
  readonly mobile_flow_otp: string | undefined;
  readonly desktop_flow_otp: string | undefined;
}

/** @throws ApiError `BAD_REQUEST`: one is malformed, or there are two */
export function checkPads({ mobile_flow_otp: mobile, desktop_flow_otp: desktop }: AppPads): void {
  for (const pad of [mobile, desktop]) if (pad !== undefined && !PAD.test(pad)) throw badRequest('Invalid OTP');
  if (mobile !== undefined && desktop !== undefined) {
    throw badRequest("Can't use both mobile_flow_otp and desktop_flow_otp together.");
  }
}

/** Whether the login is for an app and not for this browser. */
export function isForApp({ mobile_flow_otp: mobile, desktop_flow_otp: desktop }: AppPads): boolean {
  return mobile !== undefined || desktop !== undefined;
}
