/** What other features need of one's own account. */
export { beginAddressChange } from './address.ts';
export { tellOfClosing } from './closed-account.ts';
export { type LoginOrigin, noticeLogin } from './login-notice.ts';
export { changePassword, checkedPasswordChange, type PasswordChange } from './passwords.ts';
